// Attention weights combined into one matrix: the mean or the maximum over heads, or attention
// through all layers; then without some keys, with pieces merged into words, and thinned out.
#pragma once

#include "core/analysis/head_aggregation.h"
#include "core/transformer/trace/trace.h"

#include <array>
#include <memory>
#include <optional>
#include <string_view>

namespace headlight::core {

/// None: a head alone. Mean and Maximum: over heads of one layer. Rollout and Flow: through the
/// layers of a stack, from the mean over the heads of each (attention_rollout.h, attention_flow.h).
enum class Combination { None, Mean, Maximum, Rollout, Flow };

inline constexpr std::array kCombinations{Combination::None, Combination::Mean,
                                          Combination::Maximum, Combination::Rollout,
                                          Combination::Flow};

/// Returns the name used in files and on the command line: "none", "mean", "max", "rollout" or
/// "flow".
std::string_view nameOf(Combination combination);

/// True if it has the weights of all layers instead of heads of one layer.
inline bool isThroughLayers(Combination combination) {
    return combination == Combination::Rollout || combination == Combination::Flow;
}

/// A threshold of weights. By default all are kept.
struct KeptWeights {
    double least = 0; ///< the smallest size of a weight that is kept, 0 … 1
    double share = 1; ///< share of the sum of each row that the largest weights must have, 0 … 1
    bool operator==(const KeptWeights &) const = default;
};

struct CombinationRequest {
    Combination combination = Combination::Mean; ///< not None
    std::vector<Index> heads; ///< in ascending order, at least one; unused through layers
    bool words = false;       ///< pieces are merged; false for Flow
    LeftOutKeys leftOut;      ///< nothing for Flow
    KeptWeights kept;
    bool operator==(const CombinationRequest &) const = default;
};

struct CombinedAttention {
    SharedMatrix weights;            ///< [queries, keys]
    std::vector<TokenRange> queries; ///< the tokens of each row
    std::vector<TokenRange> keys;    ///< the tokens of each column
    std::vector<bool> leftOut;       ///< one per column: all its tokens are left out
    std::vector<bool> leftOutTokens; ///< one per token of the keys
    /// Cells that a mask hides, and columns that are left out; null if there are none, or if there
    /// are too many to list.
    std::shared_ptr<const Mask> hidden;

    /// Returns the row or column with the token; nothing if it has none.
    static std::optional<Index> placeOf(const std::vector<TokenRange> &ranges, Index token);
};

/// Computes the matrix. Weights of several heads are combined some rows at a time, so that no
/// other matrix of that size is in memory. Stages of the layer that are computed on demand must be
/// ready. Shares no lock with the trace. Errors: no attention weights; no such sequence; those of
/// makeRows(), mixedLayers() and attentionFlow(); not enough memory; "cancelled".
Result<CombinedAttention> combinedAttention(const Trace &trace, AttentionId attention,
                                            Index sequence, const CombinationRequest &request,
                                            const std::stop_token &stop = {});

} // namespace headlight::core
