// Finds matrices, or leading rows of matrices, that can be reused. Their inputs are the same as in
// an earlier trace, so the results are bit-identical.
#pragma once

#include "core/transformer/run/run_state.h"

namespace headlight::core {

class Reuse {
  public:
    /// The run must outlive this object.
    explicit Reuse(RunState &run)
        : m_run(run),
          m_planBefore(run.request.previous ? &run.request.previous->plan() : nullptr) {}

    /// Finds the step in the earlier trace, and determines which of its matrices are the same. All
    /// inputs of the step must already have been compared or computed.
    void compare(StepId step);

    /// Returns the columns of a linear step that change through edits of its matrix. Nullopt if its
    /// inputs or bias differ from the earlier trace, if the step is split into heads, or if there
    /// are too many edits.
    std::optional<std::vector<Index>> changedColumns(StepId step) const;

  private:
    bool isSame(StepId step, Index sequence, Index head);
    SameRows sameRowsOf(StepId step, Index sequence, Index head);
    SameRows sameRowsRead(StepId step, std::size_t which, Index sequence, Index head) const;
    Index sameRowsOfInput(const Dependence &on, const Step &step, Index sequence) const;
    Index sameFirstTokens(const Sequence &before, const Sequence &now, Stack stack) const;
    Index sameRowsOfMask(const Step &step, Index sequence, Index rows, Index columns) const;
    Index rowsThatSee(StepId mask, Index sequence, Index rows, Index columns) const;
    bool areReadsSame(StepId step, Index sequence, Index head) const;
    bool isSameRead(StepId now, StepId before, Index sequence, Index head) const;
    bool isSameInput(const Dependence &on, const Step &step, Index sequence) const;
    bool isSameText(const Sequence &before, const Sequence &now, Stack stack) const;
    bool areParametersSame(StepId step, Index head);

    RunState &m_run;
    const Plan *m_planBefore;
    std::map<std::pair<StepId, Index>, bool> m_sameParameters; ///< cache by step and head
};

} // namespace headlight::core
