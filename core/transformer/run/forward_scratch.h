// Scratch memory of one thread in a forward pass. Computes rows of matrices, and reuses the buffers
// of temporary steps that are no longer needed.
#pragma once

#include "core/transformer/run/run_state.h"

#include <map>

namespace headlight::core {

class ForwardScratch : private Matrices {
  public:
    /// The run must outlive this object.
    explicit ForwardScratch(RunState &run) : m_run(run) {}

    /// Computes `rows` of a matrix whose inputs are either kept or temporary. Throws Cancelled.
    void fill(StepId id, Index sequence, Index head, Rows rows, MutableMatrixView out);
    /// Returns the operands for rows of one matrix. The caller passes these operands to
    /// applyToAll() for operations that read all sequences.
    Operands operandsOf(StepId id, Index sequence, Index head, Rows rows);
    /// Returns rows of a known or temporary step. Computes rows of a temporary step, whose inputs
    /// must be available.
    MatrixView rows(StepId step, Index sequence, Index head, Rows rows) override;
    /// Discards all cached rows, but keeps their buffers for reuse.
    void forget();

  private:
    /// Cached rows of a temporary matrix.
    struct Tile {
        MatrixKey place = kNoMatrix; ///< matrix of the rows; kNoMatrix if they are not valid
        Rows rows{};
        Index columns = 0;
        float *data = nullptr;
        Numbers own{}; ///< buffer of `data`, unless the buffer belongs to another tile
    };

    /// Returns the number of keys to compute: for narrow steps, up to the last key that one of
    /// these queries sees; otherwise all keys.
    Index columnsOf(StepId id, Index sequence, Rows rows) const;
    /// Computes the first input for these rows. Returns its tile if the result can overwrite it, or
    /// null if the result needs a separate buffer.
    Tile *tileWrittenOver(StepId id, Index sequence, Index head, Rows rows);

    RunState &m_run;
    std::map<StepId, Tile> m_tiles;
    std::vector<Numbers> m_spare; ///< buffers that can be reused
};

} // namespace headlight::core
