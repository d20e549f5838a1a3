// Attention flow: the maximum flow from an input token to a token of the last layer, with attention
// weights as the capacities of pipes.
//
// Abnar and Zuidema 2020, "Quantifying Attention Flow in Transformers", section 3.
#pragma once

#include "core/analysis/attention_rollout.h"

namespace headlight::core {

/// Maximum number of tokens. A maximum flow is computed for each pair of tokens, which is slow.
inline constexpr Index kMaxFlowTokens = 64;

/// Returns the error for a text with more than kMaxFlowTokens tokens.
Error tooManyForFlow(Index tokens);

/// Returns for row i and column j the maximum flow from token i of the last layer to input token j.
/// The graph has a node for each token and layer, and edges of capacity Ā_l[i, j] from token i of
/// layer l to token j below it. The result is not a distribution. Each pair may use the whole
/// graph, so rows do not sum to 1. `layers`: Ā of each layer (see LayerMixing), the first layer
/// first. Errors: more than kMaxFlowTokens tokens; "cancelled".
Result<TokenMixing> attentionFlow(std::span<const TokenMixing> layers,
                                  const std::stop_token &stop = {});

} // namespace headlight::core
