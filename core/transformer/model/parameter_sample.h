// A parameter in small: all its numbers where they are few, else those of evenly spaced rows and
// columns, so that a picture of a matrix with fifty thousand rows reads little more than it shows.
#pragma once

#include "core/transformer/model/parameter_block.h"

namespace headlight::core {

inline constexpr Index kMostSampledWhole = Index(1) << 16; ///< numbers that are read all of them
inline constexpr Index kSampledSide = 128; ///< else at most so many rows, and columns

struct ParameterSample {
    SharedMatrix numbers; ///< its rows lie one after the other
    Index rows = 0;       ///< of the whole
    Index columns = 0;

    bool isWhole() const { return numbers.rows == rows && numbers.columns == columns; }
    /// Where in the whole a number of the sample stands.
    Index rowOf(Index sampled) const { return sampled * rows / numbers.rows; }
    Index columnOf(Index sampled) const { return sampled * columns / numbers.columns; }
    /// Where in the sample a row or a column of the whole is, or what stands for it.
    Index sampledRow(Index row) const { return row * numbers.rows / rows; }
    Index sampledColumn(Index column) const { return column * numbers.columns / columns; }
};

/// Empty where the block is; NaN where numbers cannot be read.
ParameterSample sampleOf(const ParameterBlock &block);

/// Of the matrix's transpose.
ParameterSample transposed(const ParameterSample &sample);

} // namespace headlight::core
