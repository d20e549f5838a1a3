// Why scores are divided by √d_k (Vaswani et al. 2017, section 3.2.1, footnote 4): dot products of
// independent components of variance 1 have the variance d_k, and softmax of numbers that lie far
// apart hardly answers to them any more. Drawn, not computed: queries and keys of no model.
#pragma once

#include "core/result.h"
#include "core/tensor/matrix.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>

namespace headlight::core {

inline constexpr Index kDrawnKeys = 8;
/// ‖J‖ below this counts as vanished.
inline constexpr double kVanished = 0.001;
inline constexpr std::size_t kSpreadBins = 41;
/// The bins reach this many times as far as the dot products are expected to spread.
inline constexpr double kSpreadReach = 4;

/// Of all draws, divided by √d_k or not.
struct DrawnScores {
    std::array<Index, kSpreadBins> bins{}; ///< from −reach to +reach, of `expected` each
    double expected = 1;                   ///< standard deviation: √d_k, or 1
    double deviation = 0;                  ///< about 0, of those that were drawn
    double medianNorm = 0;                 ///< of softmax's Jacobian, Frobenius, by draws of 8 keys
    double vanished = 0;                   ///< the share of draws whose norm is below kVanished
    double medianLargest = 0;              ///< probability of a draw
    bool operator==(const DrawnScores &) const = default;
};

struct SoftmaxSpread {
    Index headSize = 0; ///< d_k
    std::uint64_t seed = 0;
    Index draws = 0;    ///< of a query and 8 keys each
    DrawnScores plain;  ///< q·k
    DrawnScores scaled; ///< q·k ÷ √d_k
    bool operator==(const SoftmaxSpread &) const = default;
};
using SoftmaxSpreadPointer = std::shared_ptr<const SoftmaxSpread>;

/// How many draws are made: fewer of very long vectors.
Index drawsOf(Index headSize);

/// The same for the same seed, on every system and any number of threads. headSize is
/// 1 … kMostDrawnHeadSize. Errors: cancelled.
Result<SoftmaxSpread> softmaxSpread(Index headSize, std::uint64_t seed, std::stop_token stop = {});

/// ‖diag(p) − p·pᵀ‖ (Frobenius) of p = softmax(scores), in double: however small it is.
double jacobianNormOf(std::span<const double> scores);

} // namespace headlight::core
