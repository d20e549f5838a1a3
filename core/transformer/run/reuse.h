// Which matrices of a run, or which of their first rows, are made from the same numbers as in an
// earlier trace, and come out the same to the last bit.
#pragma once

#include "core/transformer/run/run_state.h"

namespace headlight::core {

class Reuse {
  public:
    /// The run must live as long as this.
    explicit Reuse(RunState &run)
        : m_run(run),
          m_planBefore(run.request.previous ? &run.request.previous->plan() : nullptr) {}

    /// Finds the step in the earlier trace, and says of each matrix whether it is the same; once
    /// all that it reads has been compared or made.
    void compare(StepId step);

    /// Of a linear step that is not laid out by heads and reads the same as in the earlier trace,
    /// from the same matrix but for a few edits: which of its columns these change. Else none.
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
    std::map<std::pair<StepId, Index>, bool> m_sameParameters; ///< by step and head
};

/// The same bits in the same shape.
bool sameNumbers(MatrixView a, MatrixView b);

} // namespace headlight::core
