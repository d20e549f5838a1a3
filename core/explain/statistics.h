// Mean and variance for norms.
#pragma once

#include "core/transformer/model/config.h"

#include <span>

namespace headlight::core {

struct Statistics {
    double mean = 0;     ///< 0 if the norm does not centre
    double variance = 0; ///< mean square after centring (÷ count)
    Index count = 0;
};

/// Statistics of a row, or of a column over the real tokens of a batch. RMS norm does not centre.
Statistics statisticsOf(std::span<const float> numbers, NormKind kind);

} // namespace headlight::core
