// A downsampled parameter: all values of a small matrix, otherwise evenly spaced rows and columns.
// Drawing a matrix of fifty thousand rows therefore reads little more than the displayed values.
#pragma once

#include "core/transformer/model/parameter_block.h"

namespace headlight::core {

inline constexpr Index kMaxSampledWhole = Index(1)
                                          << 16; ///< maximum size of matrices read completely
inline constexpr Index kSampledSide = 128;       ///< maximum rows and columns of larger matrices

struct ParameterSample {
    SharedMatrix numbers; ///< contiguous rows
    Index rows = 0;       ///< size of the complete parameter
    Index columns = 0;

    bool isWhole() const { return numbers.rows == rows && numbers.columns == columns; }
    /// Returns the row or column of the parameter that a row or column of the sample shows.
    Index rowOf(Index sampled) const { return sampled * rows / numbers.rows; }
    Index columnOf(Index sampled) const { return sampled * columns / numbers.columns; }
    /// Returns the row or column of the sample that represents a row or column of the parameter.
    Index sampledRow(Index row) const { return row * numbers.rows / rows; }
    Index sampledColumn(Index column) const { return column * numbers.columns / columns; }
};

/// Returns an empty sample for an empty block. Values that cannot be read are NaN.
ParameterSample sampleOf(const ParameterBlock &block);

/// Returns a sample of the transposed matrix.
ParameterSample transposed(const ParameterSample &sample);

} // namespace headlight::core
