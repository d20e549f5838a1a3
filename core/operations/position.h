// Position encodings that are added to embeddings.
#pragma once

#include "core/tensor/matrix.h"

namespace headlight::core {

/// Order of the sine and cosine columns.
enum class SinusoidOrder {
    Interleaved, ///< sin, cos, sin, cos, … (Vaswani et al. 2017, section 3.5)
    /// The same columns, but all sines before all cosines, as in Marian's models in Hugging Face's
    /// transformers (MarianSinusoidalPositionalEmbedding). tensor2tensor and fairseq use this order
    /// with other wavelengths, 10000^(i/(width/2 − 1)).
    Halves,
};

/// Returns the sinusoidal positions of Vaswani et al. (2017), section 3.5, for positions 0 … length
/// − 1, shape [length, width]: P[t, 2i] = sin(t / 10000^(2i/width)), P[t, 2i+1] = cos(t /
/// 10000^(2i/width)). An odd width has one more sine than cosines.
Matrix sinusoidalPositions(Index length, Index width,
                           SinusoidOrder order = SinusoidOrder::Interleaved);

/// Returns one value, P[position, column].
float sinusoidalPosition(Index position, Index column, Index width,
                         SinusoidOrder order = SinusoidOrder::Interleaved);

} // namespace headlight::core
