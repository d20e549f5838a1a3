// One softmax input row and its output: a query's scores or user-supplied logits.
#pragma once

#include "core/selection/selection.h"
#include "core/selection/softmax_look.h"
#include "core/tensor/matrix.h"
#include "core/transformer/trace/trace.h"

#include <optional>
#include <variant>
#include <vector>

namespace headlight::core {

struct SoftmaxRow {
    std::vector<float> logits;        ///< before the division by the temperature
    std::vector<float> probabilities; ///< softmax output
    std::vector<bool> hidden;         ///< hidden by a mask
    float temperature = 1;
    std::optional<float> sink{}; ///< logit of the sink, which takes a share but is not a key

    std::size_t size() const { return logits.size(); }
    /// Returns the number of keys that are not hidden.
    Index visible() const;
    /// Returns the sink's share, accurate even if it is tiny; 0 without a sink.
    double sinkShare() const;
    /// Returns −Σ p·log₂ p (Shannon 1948) over the keys, without the sink.
    double entropyBits() const;
    /// Returns log₂ of the number of visible keys, the entropy of a uniform row.
    double maxEntropyBits() const;
    /// Returns ‖diag(p) − p·pᵀ‖ (Frobenius), the norm of the Jacobian with respect to z = logit ÷
    /// temperature.
    double jacobianNorm() const;
    /// Returns ∂p_i/∂z_j for the entries in `shown`, in that order.
    Matrix jacobian(const std::vector<std::size_t> &shown) const;
};

/// Computes the row of the user's logits, each multiplied by `look.times`. No entry is hidden.
SoftmaxRow ownRow(const SoftmaxLook &look);

/// A softmax row of a trace, and how its logits were computed.
struct SoftmaxRowFromTrace {
    SoftmaxRow row;
    Index query = 0;
    bool isSelected = true;            ///< false: `query` is the first one with visible keys
    float scale = 1;                   ///< factor of q·k
    Stage stage = Stage::MaskedScores; ///< stage of the logits
    /// True if a softcap or a position bias is applied between the scaled score and the logit.
    bool isCapped = false, isBiased = false;
    bool masksAfter = false; ///< the mask is applied to the probabilities instead of the scores
    bool isComputed = true;  ///< false for a capture: read-only, unknown temperature
    bool isExplained = true; ///< softmax of the logits results in the probabilities
    /// Limit of the softcap; 0 without one. A logit's score q·k is (logit without softcap and bias)
    /// ÷ scale.
    float cap = 0;
    std::vector<float> biases; ///< one per key; empty without position biases
    std::vector<bool> setByHand;

    /// Returns the score q·k that results in the logit, or no value if there is none.
    std::optional<float> scoreFor(std::size_t key, float logit) const;
};

/// The reason why there is no row.
enum class SoftmaxRowError {
    NoAttention, ///< there is no attention module
    NoWeights,   ///< the capture does not contain the weights
    NoScores,    ///< the capture contains weights but not the scores
    NoSoftmax,   ///< mechanism option: the weights are the scores themselves
    Uniform,     ///< intervention: the head attends equally to all visible keys
    SeesNothing, ///< no key is visible to the query
};

/// Returns the row of the selected query, in the selected sequence, attention module and head. Uses
/// the first suitable query if none is selected.
std::variant<SoftmaxRowFromTrace, SoftmaxRowError> softmaxRowFromTrace(const Trace &trace,
                                                                       const Selection &selection);

} // namespace headlight::core
