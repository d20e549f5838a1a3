// The way back through a trace: how a loss would change with each number, from the logits to the
// words' vectors. What training learns from.
#pragma once

#include "core/transformer/run/backward.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace headlight::core {

/// Which word should come out at a row of the logits, or which class of a sequence (row 0).
struct Target {
    Index sequence = 0;
    Index row = 0;
    Index answer = 0;
    bool operator==(const Target &) const = default;
};

/// Immutable.
struct BackwardPass {
    TracePointer trace;
    std::vector<Target> asked;
    double loss = 0;              ///< the mean of the answers' −ln p
    GradientsPointer gradients{}; ///< of the loss, by every stage and parameter
    Tensor ofProbabilities{};     ///< −1/(n·p) at the right answers, where it predicts words

    /// Of the stage's shape; null where the loss does not depend on it.
    Tensor gradient(Stage stage, AttentionId attention = {}) const {
        return stage == Stage::Probabilities ? ofProbabilities : gradients->stage(stage, attention);
    }
};
using BackwardPassPointer = std::shared_ptr<const BackwardPass>;

/// What a model that predicts the next word is asked by its own text: at each token for the one
/// after it, of all sequences. Empty where the model predicts no words.
std::vector<Target> nextTokenTargetsOf(const Trace &trace);

/// Errors: a model without an output layer ("model.head"), nothing asked, a row or an answer that
/// is not there ("asked[1].row"); as backward().
Result<BackwardPassPointer> runBackward(const TracePointer &trace, std::vector<Target> asked,
                                        std::stop_token stop = {});

} // namespace headlight::core
