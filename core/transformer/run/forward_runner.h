// Runs the steps of a plan on all threads, one matrix or some of its rows at a time. Reuses
// matrices of an earlier trace if their inputs have not changed.
#pragma once

#include "core/transformer/run/forward_scratch.h"
#include "core/transformer/run/reuse.h"

#include <functional>
#include <set>
#include <span>

namespace headlight::core {

class ForwardRunner {
  public:
    explicit ForwardRunner(const RunRequest &request);

    /// Computes, in order, the steps for which `isKept` returns true and all steps that they depend
    /// on. For stages over keys or words that are not kept, each thread stores only some rows at a
    /// time. Throws Cancelled.
    void run(const std::function<bool(StepId)> &isKept);
    /// Computes one row of each of these steps over words. They must be in plan order, because each
    /// is computed from the row of the previous one. Call this instead of run(). Throws Cancelled.
    std::vector<Numbers> rowOfWords(std::span<const StepId> steps, Index sequence, Index row);

    /// Prepares rowsOf() for this step. Call this instead of run().
    void prepare(StepId step);
    /// Computes the first `columns` columns of some rows of a matrix of the prepared step, and its
    /// missing inputs. Throws Cancelled.
    Numbers rowsOf(StepId step, Index sequence, Index head, Rows rows, Index columns);

    /// Returns the tensors of the kept steps, one per step of the plan, including renames.
    std::vector<Tensor> takeNumbers();
    /// Returns the stages that were at least partly computed, and the number of their heads.
    Work takeWork();
    /// Returns the first stage with NaN or infinity (float overflow); empty if there is none.
    std::string overflowed() const;

  private:
    /// For each matrix of a step, by MatrixKey: the first row to compute, or the number of rows if
    /// there is none.
    using From = std::vector<Index>;
    /// A unit of work for one thread: some rows of a matrix.
    struct Item {
        Index sequence = 0;
        Index head = 0;
        Rows rows{};
    };

    void begin(const std::function<bool(StepId)> &isKept);
    void tellOfReuse(StepId step) const;
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
    std::vector<std::unique_ptr<ForwardScratch>> m_lanes; ///< one per thread
    std::vector<StepId> m_temporary;                      ///< steps with buffers that are not kept
    Numbers m_together;                                   ///< all heads concatenated
    std::vector<std::string> m_recomputed;
    Index m_made = 0;                                ///< number of computed values
    std::set<std::pair<AttentionId, Index>> m_heads; ///< computed attention modules and heads
};

} // namespace headlight::core
