// A matrix that is made one head at a time, small enough to be seen beside those of all other
// heads: nothing holds all of it, not even while the sample is made.
#pragma once

#include "core/transformer/trace/trace.h"

namespace headlight::core {

/// A matrix of another's blocks. Each number is that of its block which is farthest from 0, so that
/// a single strong cell is never lost; hidden cells do not count beside visible ones.
struct HeadSample {
    SharedMatrix numbers;
    Index ofRows = 0; ///< of the matrix that it is a sample of
    Index ofColumns = 0;
};

/// First … end − 1 of `cells`, those of the block `index` of so many.
struct BlockOfCells {
    Index first = 0, end = 0;
};
BlockOfCells blockOf(Index index, Index blocks, Index cells);

/// How many rows and columns samples of so many heads have at most, so that all of them together
/// take little memory.
Index sampleSide(Index heads);

/// Samples the heads of one attention. of() may be called from any thread, and several: it shares
/// nothing with the trace that somebody would wait for.
class HeadSampler {
  public:
    /// A stage over keys that the trace has. `side`: instead of sampleSide(), where it is not 0.
    HeadSampler(const Trace &trace, StageId at, Index sequence, Index side = 0);

    /// Errors: those of makeRows().
    Result<HeadSample> of(Index head, const std::stop_token &stop) const;
    /// Samples of both have the same numbers: the traces are one, whatever was made of it since.
    bool isOf(const Trace &trace) const { return &m_trace->plan() == &trace.plan(); }
    /// Which numbers of every sample stand for hidden cells alone; null: none does.
    const std::shared_ptr<const Mask> &hidden() const & { return m_hidden; }
    const std::shared_ptr<const Mask> &hidden() const && = delete;

  private:
    TracePointer m_trace;
    StepId m_step = 0;
    Index m_sequence = 0;
    Index m_rows = 0, m_columns = 0; ///< of the matrix
    Index m_height = 0, m_width = 0; ///< of a sample
    std::vector<Tensor> m_known;     ///< what there is of each step
    std::shared_ptr<const Mask> m_mask, m_hidden;
};

} // namespace headlight::core
