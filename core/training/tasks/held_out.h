// Which split an example belongs to, by what is in it: so nothing held out can be drawn to learn
// from, however long a run is.
#pragma once

#include "core/tensor/matrix.h"
#include "core/training/tasks/task.h"

#include <span>

namespace headlight::core {

/// One in eight contents is held out: FNV-1a of its numbers, well mixed.
Split splitOf(std::span<const Index> content);

} // namespace headlight::core
