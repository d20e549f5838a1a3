// The sizes and switches of a model: everything that is not a number to be learned.
#pragma once

#include "core/result.h"
#include "core/tensor/matrix.h"

#include <limits>

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

/// What if: what hides a key, and when. The usual one is −∞ before softmax.
struct Masking {
    /// What stands for a hidden score: −∞, or a large negative number such as −1e9 or −1e4. A row
    /// in which all are the same number is uniform after softmax.
    float value = -std::numeric_limits<float>::infinity();
    /// Weights are taken to zero after softmax instead: rows no longer sum to 1.
    bool afterSoftmax = false;
    bool operator==(const Masking &) const = default;
};

struct Config {
    Index width = 0;    ///< C, of the embeddings and the residual stream
    Index heads = 1;    ///< H
    Index headSize = 0; ///< d
    Scale scale;
    float temperature = 1; ///< softmax divides the masked scores by it; > 0
    Positions positions = Positions::None;
    Masking masking{};
    /// What if not: the weights are the masked scores ÷ temperature themselves, 0 where they are
    /// −∞.
    bool softmax = true;

    /// H·d, the width of the concatenated heads.
    Index concatenatedWidth() const { return heads * headSize; }
    bool operator==(const Config &) const = default;
};

/// Caps that keep a hostile file from asking for the whole memory.
inline constexpr Index kMaximumWidth = 16384;
inline constexpr Index kMaximumHeads = 256;

/// Sizes within their caps, scale and temperature positive and finite, the mask's value negative;
/// else the error names the field.
Outcome validate(const Config &config);

} // namespace headlight::core
