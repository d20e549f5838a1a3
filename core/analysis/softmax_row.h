// One row that softmax reads, and what it makes of it: of a query's scores, or of numbers of one's
// own.
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
    std::vector<float> logits;        ///< what is divided by the temperature, then exponentiated
    std::vector<float> probabilities; ///< what softmax made of them
    std::vector<bool> hidden;         ///< by a mask
    float temperature = 1;

    std::size_t size() const { return logits.size(); }
    /// How many are not hidden.
    Index visible() const;
    /// −Σ p·log₂ p (Shannon 1948).
    double entropyBits() const;
    /// log₂ of how many are visible: of probabilities that are all alike.
    double mostEntropyBits() const;
    /// ‖diag(p) − p·pᵀ‖, Frobenius: with respect to what softmax itself reads, logit ÷ temperature.
    double jacobianNorm() const;
    /// ∂p_i/∂z_j of these of them, in their order, with respect to the same.
    Matrix jacobian(const std::vector<std::size_t> &shown) const;
};

/// `times` each of the numbers, as core's softmax makes them; none is hidden.
SoftmaxRow ownRow(const SoftmaxLook &look);

/// How a trace made a row.
struct SoftmaxRowFromTrace {
    SoftmaxRow row;
    Index query = 0;
    bool isSelected = true;            ///< else it is the first one with something to see
    float scale = 1;                   ///< what q·k is multiplied by
    Stage stage = Stage::MaskedScores; ///< of the logits
    /// Something stands between the scaled score and the logit: a cap, a bias of the positions.
    bool isCapped = false, isBiased = false;
    bool masksAfter = false; ///< what is hidden is taken away from the probabilities afterwards
    bool isComputed =
        true; ///< else a capture: nothing can be changed, and the temperature is not known
    bool isExplained = true; ///< softmax of the logits gives the probabilities
    /// Of each key the score q·k that stands for a logit is (logit, without cap and bias) ÷ scale.
    float cap = 0;             ///< 0: none
    std::vector<float> biases; ///< one a key, or none
    std::vector<bool> setByHand;

    /// The score q·k of which the logit comes; none: no score gives it.
    std::optional<float> scoreFor(std::size_t key, float logit) const;
};

/// Why there is no row.
enum class SoftmaxRowError {
    NoAttention, ///< nothing there attends
    NoWeights,   ///< a capture does not hold them
    NoScores,    ///< a capture holds weights and not what they were made of
    NoSoftmax,   ///< what-if: weights are the scores themselves
    Uniform,     ///< what-if: the head attends equally to all keys
    SeesNothing, ///< no key is visible to the query
};

/// The selected query's, of the selection's sequence, site and head.
std::variant<SoftmaxRowFromTrace, SoftmaxRowError> softmaxRowFromTrace(const Trace &trace,
                                                                       const Selection &selection);

} // namespace headlight::core
