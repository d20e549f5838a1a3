// The sizes and switches of a model: everything that is not a number to be learned.
#pragma once

#include "core/result.h"
#include "core/tensor/matrix.h"

namespace headlight::core {

/// What the scores are multiplied by before softmax.
struct Scale {
    enum class Kind { SquareRoot, Number, Off };
    Kind kind = Kind::SquareRoot;
    float number = 1; ///< the divisor, for Kind::Number

    /// 1/√d for a head of size d (Vaswani et al. 2017, section 3.2.1), 1/number, or 1.
    float factor(Index headSize) const;
    bool operator==(const Scale &) const = default;
};

enum class Positions { None, Sinusoidal };

struct Config {
    Index width = 0;    ///< C, of the embeddings and the residual stream
    Index heads = 1;    ///< H
    Index headSize = 0; ///< d
    Scale scale;
    float temperature = 1; ///< softmax divides the masked scores by it; > 0
    Positions positions = Positions::None;

    /// H·d, the width of the concatenated heads.
    Index concatenatedWidth() const { return heads * headSize; }
    bool operator==(const Config &) const = default;
};

/// Caps that keep a hostile file from asking for the whole memory.
inline constexpr Index kMaximumWidth = 16384;
inline constexpr Index kMaximumHeads = 256;

/// Sizes within their caps, scale and temperature positive and finite; else the error names the
/// field.
Outcome validate(const Config &config);

} // namespace headlight::core
