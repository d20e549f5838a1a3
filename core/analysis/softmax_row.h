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
    std::optional<float> sink{}; ///< one more logit, without a probability of its own

    std::size_t size() const { return logits.size(); }
    /// Number of keys that are not hidden.
    Index visible() const;
    /// The sink's share, exact if it is tiny; 0 without a sink.
    double sinkShare() const;
    /// −Σ p·log₂ p (Shannon 1948) of the keys' shares, without the sink's.
    double entropyBits() const;
    /// Maximum entropy: log₂ of the number of visible keys, for a uniform row.
    double maxEntropyBits() const;
    /// ‖diag(p) − p·pᵀ‖ (Frobenius), the derivative with respect to z = logit ÷ temperature.
    double jacobianNorm() const;
    /// ∂p_i/∂z_j for the entries `shown`, in their order.
    Matrix jacobian(const std::vector<std::size_t> &shown) const;
};

/// Computes the row of the user's logits, each multiplied by `times`. No entry is hidden.
SoftmaxRow ownRow(const SoftmaxLook &look);

/// A softmax row of a trace, and how its logits were computed.
struct SoftmaxRowFromTrace {
    SoftmaxRow row;
    Index query = 0;
    bool isSelected = true;            ///< false: the first query with visible keys
    float scale = 1;                   ///< factor of q·k
    Stage stage = Stage::MaskedScores; ///< stage of the logits
    /// True if a softcap or a position bias lies between the scaled score and the logit.
    bool isCapped = false, isBiased = false;
    bool masksAfter = false; ///< the mask is applied to the probabilities instead of the scores
    bool isComputed = true;  ///< false for a capture: read-only, unknown temperature
    bool isExplained = true; ///< softmax of the logits gives the probabilities
    /// The score q·k of a logit is (logit, without cap and bias) ÷ scale.
    float cap = 0;             ///< 0: none
    std::vector<float> biases; ///< one per key, or none
    std::vector<bool> setByHand;

    /// Returns the score q·k that gives the logit, or no value if no score does.
    std::optional<float> scoreFor(std::size_t key, float logit) const;
};

/// The reason for a missing row.
enum class SoftmaxRowError {
    NoAttention, ///< there is no attention module
    NoWeights,   ///< the capture does not contain the weights
    NoScores,    ///< the capture contains weights but not the scores
    NoSoftmax,   ///< mechanism option: weights are the scores themselves
    Uniform,     ///< intervention: the head attends equally to all keys
    SeesNothing, ///< no key is visible to the query
};

/// Returns the row of the selected query, in the selected sequence, attention module and head. Uses
/// the first suitable query if none is selected.
std::variant<SoftmaxRowFromTrace, SoftmaxRowError> softmaxRowFromTrace(const Trace &trace,
                                                                       const Selection &selection);

} // namespace headlight::core
