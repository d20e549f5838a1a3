// Per-thread scratch memory of a forward pass. Computes matrix rows, and reuses the buffers of
// temporary steps once they are no longer needed.
#pragma once

#include "core/transformer/run/run_state.h"

#include <map>

namespace headlight::core {

class ForwardScratch : private Matrices {
  public:
    /// The run must outlive this object.
    explicit ForwardScratch(RunState &run) : m_run(run) {}

    /// Computes `rows` of a matrix. Its inputs are either kept or temporary. Throws Cancelled.
    void fill(StepId id, Index sequence, Index head, Rows rows, MutableMatrixView out);
    /// Returns the operands of rows of one matrix. Operations on all sequences at once use them
    /// directly.
    Operands operandsOf(StepId id, Index sequence, Index head, Rows rows);
    /// Discards all cached rows and keeps their buffers for reuse.
    void forget();

  private:
    /// Cached rows of a temporary matrix.
    struct Tile {
        MatrixKey place = kNoMatrix; ///< matrix the rows belong to; kNoMatrix if stale
        Rows rows{};
        Index columns = 0;
        float *data = nullptr;
        Numbers own{}; ///< buffer of `data`, unless it is that of another tile
    };

    MatrixView rows(StepId step, Index sequence, Index head, Rows rows) override;
    /// Returns the number of keys to compute: in narrow steps up to the last key that any of these
    /// queries sees, else all.
    Index columnsOf(StepId id, Index sequence, Rows rows) const;
    /// Computes the first input of these rows and returns its tile if the result can overwrite it.
    /// Null if the result needs a buffer of its own.
    Tile *tileWrittenOver(StepId id, Index sequence, Index head, Rows rows);

    RunState &m_run;
    std::map<StepId, Tile> m_tiles;
    std::vector<Numbers> m_spare; ///< buffers available for reuse
};

} // namespace headlight::core
