// Combines all heads of a layer into their mean, or into the maximum of each cell.
#pragma once

#include "core/tensor/tensor.h"

namespace headlight::core {

enum class HeadSummary { Mean, Maximum };

/// [B, H, rows, columns] becomes [B, 1, rows, columns]. Stages of another rank have no heads and
/// are returned unchanged. Rows of averaged weights still sum to 1; rows of a maximum do not.
Tensor summarizeHeads(const Tensor &stage, HeadSummary summary);

} // namespace headlight::core
