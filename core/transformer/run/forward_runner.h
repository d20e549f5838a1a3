// Runs steps of a plan, matrix by matrix or some rows at a time, on all threads. A matrix that is
// made from the same numbers as in an earlier trace is taken over from it.
#pragma once

#include "core/transformer/run/forward_scratch.h"
#include "core/transformer/run/reuse.h"

#include <functional>
#include <set>

namespace headlight::core {

class ForwardRunner {
  public:
    explicit ForwardRunner(const RunRequest &request);

    /// Makes the steps for which `isKept` says so, in order, and what they are made from; throws
    /// Cancelled. Of stages over keys that are not kept, a thread holds some rows at a time.
    void run(const std::function<bool(StepId)> &isKept);
    /// One row of a step that has no heads, by itself; throws Cancelled. Instead of run().
    std::vector<float> rowOf(StepId step, Index sequence, Index row);

    /// The same for rows of single matrices, which rowsOf() makes.
    void prepare(StepId step);
    /// Rows of a matrix of that step, their first columns, and nothing else; what they read is
    /// known, or made for them. Throws Cancelled.
    Numbers rowsOf(StepId step, Index sequence, Index head, Rows rows, Index columns);

    /// One a step: the numbers of those that are kept, under each of their names.
    std::vector<Tensor> takeNumbers();
    /// The stages that had something computed anew, and of how many heads.
    Work takeWork();
    /// The first stage that holds what no number is: too large for 32 bits, or made from such.
    std::string overflowed() const;

  private:
    /// From which row on each matrix of a step is meant, one a place; as many rows as it has: not.
    using From = std::vector<Index>;
    /// Some rows of a matrix: what one thread makes at a time.
    struct Item {
        Index sequence = 0;
        Index head = 0;
        Rows rows{};
    };

    void begin(const std::function<bool(StepId)> &isKept);
    void keep(StepId step);
    void provideReadsOf(StepId step, const From &from);
    From readBy(StepId step, const From &from, std::size_t which, StepId read) const;
    void takeOver(StepId step, From &from);
    void make(StepId step, From from);
    void makeTogether(StepId step);
    void makeByRows(StepId step, const From &from);
    void makeItems(StepId step, const std::vector<Item> &items,
                   const std::function<MutableMatrixView(const Item &)> &roomOfItem);
    void makeLinear(StepId step, MatrixView x, Index first);
    bool makeChangedColumns(StepId step, MatrixView x);
    MatrixView wholeRowsRead(StepId step, const From &from) const;
    Index rowsAtOnce(StepId step) const;
    MutableMatrixView bufferOf(StepId step, Index sequence, Index head);
    void release(StepId until);
    void note(StepId step, Index head);

    RunState m_run;
    const Plan &m_plan;
    Reuse m_reuse;
    std::vector<std::unique_ptr<ForwardScratch>> m_lanes; ///< one a thread
    std::vector<StepId> m_temporary; ///< not kept, and with numbers all the same
    Numbers m_together;              ///< all heads' numbers side by side
    std::vector<std::string> m_recomputed;
    Index m_made = 0;                                ///< numbers
    std::set<std::pair<AttentionId, Index>> m_heads; ///< and which of it
};

} // namespace headlight::core
