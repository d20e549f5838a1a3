// Position encodings that are added to embeddings.
#pragma once

#include "core/tensor/matrix.h"

namespace headlight::core {

/// How sines and cosines share the columns.
enum class SinusoidOrder {
    Interleaved, ///< sin, cos, sin, cos, … (Vaswani et al. 2017, section 3.5)
    Halves,      ///< all sines, then all cosines (the authors' own program, fairseq, Marian)
};

/// Sinusoidal positions of Vaswani et al. (2017), section 3.5, for positions 0 … length − 1, shape
/// [length, width]: P[t, 2i] = sin(t / 10000^(2i/width)), P[t, 2i+1] = cos(t / 10000^(2i/width)).
Matrix sinusoidalPositions(Index length, Index width);

/// One number of them, P[position, column].
float sinusoidalPosition(Index position, Index column, Index width);

} // namespace headlight::core
