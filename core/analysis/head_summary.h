// All heads of a layer as one: their mean, or at each cell the largest.
#pragma once

#include "core/tensor/tensor.h"

namespace headlight::core {

enum class HeadSummary { Mean, Maximum };

/// From a stage [B, H, rows, columns] to [B, 1, rows, columns]. A stage of another rank has no
/// heads and comes back as it is. The rows of a mean of weights still sum to 1; those of a maximum
/// do not.
Tensor summarizeHeads(const Tensor &stage, HeadSummary summary);

} // namespace headlight::core
