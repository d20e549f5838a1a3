// Reads rows of a stage of an attention module, head by head, for code that processes large
// matrices a few rows at a time.
#pragma once

#include "core/transformer/trace/trace.h"

#include <functional>
#include <stop_token>
#include <vector>

namespace headlight::core {

/// Reads the rows that the trace holds and computes the others. Several threads can use it at once,
/// because it shares no lock with the trace.
class RowsOfHeads {
  public:
    RowsOfHeads(const Trace &trace, StepId step, Index sequence);

    /// Returns the trace without the stages that are computed on demand.
    const Trace &trace() const { return *m_trace; }
    /// Returns rows of the head's matrix. Errors: as makeRows().
    Result<SharedMatrix> of(Index head, Rows rows, const std::stop_token &stop) const;
    /// Calls `take` with blocks of at most 4 MB, one after the other, up to row `count`. `first`:
    /// the index of the block's first row. Errors: as makeRows().
    Outcome inBlocks(Index head, Index count,
                     const std::function<void(Index first, MatrixView rows)> &take,
                     const std::stop_token &stop) const;
    /// As inBlocks(), but several threads call `take`, with the blocks in any order.
    Outcome inBlocksAtOnce(Index head, Index count,
                           const std::function<void(Index first, MatrixView rows)> &take,
                           const std::stop_token &stop) const;

  private:
    Index rowsOfBlock() const;

    TracePointer m_trace;
    StepId m_step;
    Index m_sequence;
    Tensor m_held;               // numbers of all heads; null if rows are computed when needed
    std::vector<Tensor> m_known; // computed stages, by step
};

} // namespace headlight::core
