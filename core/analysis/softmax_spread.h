// Demonstrates why scores are divided by √d_k (Vaswani et al. 2017, section 3.2.1, footnote 4). The
// dot product of two vectors with d_k independent components of variance 1 has variance d_k.
// Softmax of widely spread scores has almost no gradient. Uses random queries and keys, not a
// model.
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
/// A Jacobian norm below this counts as vanished.
inline constexpr double kVanished = 0.001;
inline constexpr std::size_t kSpreadBins = 41;
/// The bins extend this many expected standard deviations to each side.
inline constexpr double kSpreadReach = 4;

/// Statistics of all draws, with or without the division by √d_k.
struct DrawnScores {
    std::array<Index, kSpreadBins> bins{}; ///< counts from −reach to +reach times `expected`
    double expected = 1;                   ///< expected standard deviation: √d_k, or 1
    double deviation = 0;                  ///< sample standard deviation, around 0
    double medianNorm = 0;    ///< median norm of softmax's Jacobian (Frobenius) per draw
    double vanished = 0;      ///< share of draws whose norm is below kVanished
    double medianLargest = 0; ///< median of each draw's largest probability
    bool operator==(const DrawnScores &) const = default;
};

struct SoftmaxSpread {
    Index headSize = 0; ///< d_k
    std::uint64_t seed = 0;
    Index draws = 0;    ///< number of draws; each has one query and 8 keys
    DrawnScores plain;  ///< q·k
    DrawnScores scaled; ///< q·k ÷ √d_k
    bool operator==(const SoftmaxSpread &) const = default;
};
using SoftmaxSpreadPointer = std::shared_ptr<const SoftmaxSpread>;

/// Returns the number of draws, which is smaller for very large head sizes.
Index drawsOf(Index headSize);

/// Reproducible: the same seed leads to the same result on every system and with any number of
/// threads. headSize is 1 … kMaxDrawnHeadSize. Error: cancelled.
Result<SoftmaxSpread> softmaxSpread(Index headSize, std::uint64_t seed, std::stop_token stop = {});

/// Returns ‖diag(p) − p·pᵀ‖ (Frobenius) of p = softmax(scores), in double, accurate even if it is
/// tiny.
double jacobianNormOf(std::span<const double> scores);

} // namespace headlight::core
