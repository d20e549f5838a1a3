// Runs steps of a plan matrix by matrix. A matrix that is made from the same numbers as in an
// earlier trace is taken over from it.
#pragma once

#include "core/cancelled.h"
#include "core/transformer/run/operands.h"

#include <functional>
#include <set>

namespace headlight::core {

/// What a run starts from. All must live as long as the runner.
struct Task {
    const Plan &plan;
    const Model &model;
    const Input &input;
    const TraceMasks &masks;
    /// Lends the matrices that would come out the same; may be null.
    const Trace *previous = nullptr;
    /// Of this plan: its steps' numbers need not be made again, one a step, null where they are not
    /// there; or empty.
    std::vector<Tensor> known{};
    std::stop_token stop{};
};

class Runner : private Matrices {
  public:
    explicit Runner(const Task &task);

    /// Makes the steps for which `isKept` says so, in order, and what they are made from; throws
    /// Cancelled. Stages over keys that are not kept are never held for more than one head.
    void run(const std::function<bool(StepId)> &isKept);

    /// One a step: the numbers of those that are kept, under each of their names.
    std::vector<Tensor> takeNumbers();
    /// The stages that had something computed anew, and of how many heads.
    Work takeWork();
    /// The first stage that holds what no number is: too large for 32 bits, or made from such.
    const std::string &overflowed() const { return m_overflowed; }

  private:
    struct State {
        std::optional<StepId> before;  ///< the step of that name in the previous plan
        Tensor lent;                   ///< its numbers, where they were kept
        bool alike = false;            ///< operation and shapes are equal
        std::vector<char> same;        ///< a matrix: made from the same as there
        Tensor numbers;                ///< all of them
        std::vector<float> values;     ///< or those that `isMade` says, until nobody needs them
        std::vector<char> isMade;
        std::size_t onlyPlace = kNone; ///< over keys: the one matrix that `values` holds
        StepId lastReader = 0;
    };
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    MatrixView matrix(StepId step, Index sequence, Index head) override;
    MutableMatrixView roomFor(StepId step, std::size_t place);
    void fill(StepId step, Index sequence, Index head, MutableMatrixView out);
    void fillAll(StepId step);
    void check(StepId step, MatrixView made);
    void keep(StepId step);
    void release(StepId until);

    void compare(StepId step);
    bool isSame(StepId step, Index sequence, Index head);
    bool isSameRead(StepId now, StepId before, Index sequence, Index head);
    bool isSameInput(const Dependence &on, const Step &step, Index sequence) const;
    bool isSameText(const Sequence &before, const Sequence &now, Stack stack) const;
    bool areParametersSame(StepId step, Index head);

    Operands operandsOf(StepId step, Index sequence, Index head);
    bool isVirtual(StepId step) const;
    std::size_t placeOf(StepId step, Index sequence, Index head) const;
    void note(StepId step, Index head);

    Task m_task;
    const Plan &m_plan;
    const Plan *m_planBefore;
    std::vector<State> m_states;
    std::vector<char> m_isKept;        ///< of origins
    std::vector<StepId> m_temporary;   ///< not kept, and with numbers all the same
    std::map<std::pair<StepId, Index>, bool> m_sameParameters; ///< by step and head
    PositionTables m_tables;
    std::vector<std::string> m_recomputed;
    std::set<std::pair<Site, Index>> m_heads; ///< and which of it
    std::string m_overflowed;
};

} // namespace headlight::core
