// Assigns examples to splits by their content, so that training can never draw a held-out example.
#pragma once

#include "core/tensor/matrix.h"
#include "core/training/tasks/task.h"

#include <span>

namespace headlight::core {

/// Returns the split of a content. One in eight is held out, by a mixed FNV-1a hash of its numbers.
Split splitOf(std::span<const Index> content);

} // namespace headlight::core
