// Terms of a value's gradient, one for each step that reads the value (chain rule).
#pragma once

#include "core/explain/backward_meaning.h"
#include "core/explain/evaluation.h"
#include "core/explain/gradients/backward_pass.h"

#include <map>

namespace headlight::core {

/// One term of a value's gradient: the gradient that one reader passes back, or the derivative of
/// the loss itself.
struct GradientTerm {
    std::optional<Reader> reader{}; ///< none: the term is the derivative of the loss itself
    Meaning meaning{};
    Index sequence = 0;
    Slice made{}; ///< the value whose gradient this is; Row and Column refer to it

    /// True if both terms belong to the same input of the same step, in different heads or
    /// sequences.
    bool isOfSameStep(const GradientTerm &other) const {
        return reader && other.reader && reader->step == other.reader->step &&
               reader->which == other.reader->which;
    }
};

/// Computes gradients from the expressions of the readers.
class ChainRule {
  public:
    /// The backward pass must outlive this object.
    explicit ChainRule(const BackwardPass &backwardPass)
        : m_backwardPass(backwardPass), m_trace(*backwardPass.trace), m_plan(m_trace.plan()) {}

    /// Returns the terms for a value of a step. Without a row and a column, `number` means any
    /// value. The step may be unnamed, but must not be a rename. Empty if the value gets no
    /// gradient.
    std::vector<GradientTerm> termsOf(Index sequence, const Slice &number) const;
    /// Returns the evaluation of a cell's term. This object must outlive the result.
    Evaluation evaluationOf(const GradientTerm &term) const;
    double value(const GradientTerm &term) const {
        return evaluationOf(term).value(term.meaning.number);
    }

  private:
    GradientTerm ofLoss(Index sequence, const Slice &logit) const;
    GradientTerm ofProbability(Index sequence, const Slice &probability) const;
    std::vector<Remark> remarksOfLoss() const;
    Tensor gradientOf(StepId step) const;
    bool hasName(StepId step) const;
    bool hasGradient(StepId step) const;
    double gradient(Index sequence, const Slice &cell) const;

    const BackwardPass &m_backwardPass;
    const Trace &m_trace;
    const Plan &m_plan;
    mutable std::map<StepId, Tensor> m_gradients; ///< gradients of named steps
    mutable std::map<std::pair<Index, Slice>, double> m_unnamed;
};

} // namespace headlight::core
