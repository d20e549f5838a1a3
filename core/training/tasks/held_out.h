// Assigns examples to splits by their content, so that training can never draw a held-out example.
#pragma once

#include "core/tensor/matrix.h"
#include "core/training/tasks/task.h"

#include <span>

namespace headlight::core {

/// Returns the split for a content. One in eight contents is held out, by a mixed FNV-1a hash of
/// the ids.
Split splitOf(std::span<const Index> content);

} // namespace headlight::core
