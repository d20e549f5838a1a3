// Terms of one value's gradient, one for each step that reads the value (the chain rule).
#pragma once

#include "core/explain/backward_meaning.h"
#include "core/explain/evaluation.h"
#include "core/explain/gradients/backward_pass.h"

#include <map>

namespace headlight::core {

/// The gradient that one reader of a value, or the loss itself, passes back to it.
struct GradientTerm {
    std::optional<Reader> reader{}; ///< none: the loss
    Meaning meaning{};
    Index sequence = 0;
    Slice made{}; ///< what the expression is evaluated for: Row and Column are the value's

    /// True if both are from the same input of the same step, in another head or sequence.
    bool isOfSameStep(const GradientTerm &other) const {
        return reader && other.reader && reader->step == other.reader->step &&
               reader->which == other.reader->which;
    }
};

/// Differentiates by the expressions of the readers.
class ChainRule {
  public:
    /// The backward pass must outlive this object.
    explicit ChainRule(const BackwardPass &backwardPass)
        : m_backwardPass(backwardPass), m_trace(*backwardPass.trace), m_plan(m_trace.plan()) {}

    /// Returns the terms for a number of a step, or without a row and a column for any of them. The
    /// step may be unnamed, but no rename. Empty if it gets no gradient.
    std::vector<GradientTerm> termsOf(Index sequence, const Slice &number) const;
    /// For the terms of a cell. This object must outlive it.
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
    mutable std::map<StepId, Tensor> m_gradients; ///< of the steps that have names
    mutable std::map<std::pair<Index, Slice>, double> m_unnamed;
};

} // namespace headlight::core
