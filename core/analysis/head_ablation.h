// Silences each head of a model in turn and measures the effect on the prediction.
//
// Michel et al. 2019, "Are Sixteen Heads Really Better than One?"; McDougall et al. 2023, "Copy
// Suppression", for replacing outputs with the mean instead of zero.
#pragma once

#include "core/analysis/output_row_id.h"
#include "core/transformer/plan/computable.h"

#include <functional>
#include <utility>

namespace headlight::core {

/// The prediction to watch while heads are silenced, and what replaces their output.
struct AblationTarget {
    OutputRowId place{};          ///< the row of the logits to watch
    std::optional<Index> token{}; ///< the token to watch; unset: the most probable one
    HeadState state = HeadState::Zero;
    /// The only head to silence; unset: each in turn.
    std::optional<std::pair<AttentionId, Index>> only{};
    bool withLoss = true; ///< also computes the loss, which needs the logits of all rows
    bool operator==(const AblationTarget &) const = default;
};

/// The effect of silencing one head. Differences are silenced − normal.
struct HeadEffect {
    AttentionId attention;
    Index head = 0;
    double logitDifference = 0;
    double probability = 0; ///< probability of the watched token without the head
    /// Change of the loss in nats. The loss is the mean −ln p of the text's next tokens. No value
    /// if the model does not predict the next token, or if the text has only one token.
    std::optional<double> lossDifference{};
    Index top = 0; ///< the most probable token without the head
};

struct AblatedHeads {
    Index token = 0; ///< the watched token
    double logit = 0;
    double probability = 0;
    std::optional<double> loss{};
    Index top = 0;
    std::vector<HeadEffect> heads; ///< heads of all layers, in order
};

/// Repeats the pass without each active head in turn, and reuses everything before that head.
/// `trace` is the normal pass. Calls `made` with the number of finished heads and the total.
/// Errors: the model has no output layer; those of forward(); "cancelled".
Result<AblatedHeads> ablateHeads(const Computable &computable, const TracePointer &trace,
                                 const AblationTarget &target, const std::stop_token &stop = {},
                                 const std::function<void(Index, Index)> &made = {});

} // namespace headlight::core
