// Combines attention weights into one matrix: the mean or the maximum over heads, or attention
// through all layers. Can then leave out keys, merge pieces into words, and drop small weights.
#pragma once

#include "core/analysis/head_aggregation.h"
#include "core/transformer/trace/trace.h"

#include <array>
#include <memory>
#include <optional>
#include <string_view>

namespace headlight::core {

/// None: a single head. Mean and Maximum: over heads of one layer. Rollout and Flow: through the
/// layers of a stack, using each layer's mean over its heads (attention_rollout.h,
/// attention_flow.h).
enum class Combination { None, Mean, Maximum, Rollout, Flow };

inline constexpr std::array kCombinations{Combination::None, Combination::Mean,
                                          Combination::Maximum, Combination::Rollout,
                                          Combination::Flow};

/// Returns the name used in files and on the command line: "none", "mean", "max", "rollout" or
/// "flow".
std::string_view nameOf(Combination combination);

/// True if the combination covers all layers of a stack instead of heads of one layer.
inline bool isThroughLayers(Combination combination) {
    return combination == Combination::Rollout || combination == Combination::Flow;
}

/// Determines which weights are kept. By default all are.
struct KeptWeights {
    double least = 0; ///< smallest absolute value that is kept, 0 … 1
    double share = 1; ///< share of each row's sum that the kept weights must reach, 0 … 1
    bool operator==(const KeptWeights &) const = default;
};

struct CombinationRequest {
    Combination combination = Combination::Mean; ///< not None
    std::vector<Index> heads; ///< in ascending order, at least one; ignored by Rollout and Flow
    bool words = false;       ///< merges pieces into words; false for Flow
    LeftOutKeys leftOut;      ///< empty for Flow
    KeptWeights kept;
    bool operator==(const CombinationRequest &) const = default;
};

struct CombinedAttention {
    SharedMatrix weights;            ///< [queries, keys]
    std::vector<TokenRange> queries; ///< the tokens of each row
    std::vector<TokenRange> keys;    ///< the tokens of each column
    std::vector<bool> leftOut;       ///< per column: true if all its tokens are left out
    std::vector<bool> leftOutTokens; ///< per key token: true if it is left out
    /// Cells that a mask hides, and columns that are left out. Null if there are no such cells, if
    /// there are too many to list, or if hidden keys may keep some weight.
    std::shared_ptr<const Mask> hidden;

    /// Returns the index of the range that contains the token; no value if none does.
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
