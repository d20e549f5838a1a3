// What a norm divides by.
#pragma once

#include "core/transformer/model/config.h"

#include <span>

namespace headlight::core {

struct Statistics {
    double mean = 0;     ///< 0 where nothing is centred
    double variance = 0; ///< the mean square of what is left, ÷ count
    Index count = 0;
};

/// Of a row, or of a column over the real tokens of a batch; RMS norm does not centre.
Statistics statisticsOf(std::span<const float> numbers, NormKind kind);

} // namespace headlight::core
