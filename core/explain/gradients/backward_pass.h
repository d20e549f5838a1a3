// Backward pass through a trace: the gradient of a loss with respect to every stage, from the
// logits back to the embeddings.
#pragma once

#include "core/transformer/run/backward.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace headlight::core {

/// Target token of one row of logits, or target class of a sequence (row 0).
struct Target {
    Index sequence = 0;
    Index row = 0;
    Index answer = 0;
    bool operator==(const Target &) const = default;
};

/// The result of a backward pass. Immutable.
struct BackwardPass {
    TracePointer trace;
    std::vector<Target> asked;
    double loss = 0;              ///< mean of −ln p over the targets
    GradientsPointer gradients{}; ///< gradients of the loss, by stage and parameter
    Tensor ofProbabilities{};     ///< −1/(n·p) at the targets, if the model predicts tokens

    /// Returns a tensor of the stage's shape; null if the loss does not depend on the stage.
    Tensor gradient(Stage stage, AttentionId attention = {}) const {
        return stage == Stage::Probabilities ? ofProbabilities : gradients->stage(stage, attention);
    }
};
using BackwardPassPointer = std::shared_ptr<const BackwardPass>;

/// Returns the next-token targets of the model's own input, in every sequence. Empty if the model
/// does not predict the next token.
std::vector<Target> nextTokenTargetsOf(const Trace &trace);

/// Computes the loss and its gradients. Errors: the model has no output layer ("model.head"), no
/// targets, a row or target out of range ("asked[1].row"), and those of backward().
Result<BackwardPassPointer> runBackward(const TracePointer &trace, std::vector<Target> asked,
                                        std::stop_token stop = {});

} // namespace headlight::core
