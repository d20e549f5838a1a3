// A downsampled parameter: all numbers of a small matrix, else evenly spaced rows and columns.
// Drawing a matrix with fifty thousand rows thus reads little more than it shows.
#pragma once

#include "core/transformer/model/parameter_block.h"

namespace headlight::core {

inline constexpr Index kMaxSampledWhole = Index(1)
                                          << 16; ///< matrices up to this size are read whole
inline constexpr Index kSampledSide = 128;       ///< maximum rows and columns of larger ones

struct ParameterSample {
    SharedMatrix numbers; ///< contiguous rows
    Index rows = 0;       ///< of the whole parameter
    Index columns = 0;

    bool isWhole() const { return numbers.rows == rows && numbers.columns == columns; }
    /// Returns the row or column of the parameter that was sampled.
    Index rowOf(Index sampled) const { return sampled * rows / numbers.rows; }
    Index columnOf(Index sampled) const { return sampled * columns / numbers.columns; }
    /// Returns the sampled row or column that represents one of the parameter.
    Index sampledRow(Index row) const { return row * numbers.rows / rows; }
    Index sampledColumn(Index column) const { return column * numbers.columns / columns; }
};

/// Returns an empty sample for an empty block. Numbers that cannot be read are NaN.
ParameterSample sampleOf(const ParameterBlock &block);

/// Returns a sample of the transposed matrix.
ParameterSample transposed(const ParameterSample &sample);

} // namespace headlight::core
