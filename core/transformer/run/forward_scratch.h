// What one thread of a run works with: it makes rows of matrices, and holds those of passing steps
// only as long as they are needed.
#pragma once

#include "core/transformer/run/run_state.h"

#include <map>

namespace headlight::core {

class ForwardScratch : private Matrices {
  public:
    /// The run must live as long as this.
    explicit ForwardScratch(RunState &run) : m_run(run) {}

    /// Makes some rows of a matrix. All that it reads is held, or passes. Throws Cancelled.
    void fill(StepId id, Index sequence, Index head, Rows rows, MutableMatrixView out);
    /// What operations of all sequences at once read from.
    Operands operandsOf(StepId id, Index sequence, Index head, Rows rows);
    /// Nothing that was made for a step serves another.
    void forget();

  private:
    /// Rows of a passing matrix.
    struct Tile {
        MatrixKey place = kNoMatrix; ///< of which they are; none: of no use any more
        Rows rows{};
        Index columns = 0;
        float *data = nullptr;
        Numbers own{}; ///< where `data` is, unless another step's tile lent its room
    };

    MatrixView rows(StepId step, Index sequence, Index head, Rows rows) override;
    /// How many of the keys are made: up to the last that any of these queries sees, where the
    /// step is narrow.
    Index columnsOf(StepId id, Index sequence, Rows rows) const;
    /// Where a step's rows may be written over those that it reads first: theirs, once they are
    /// made. Null: it needs room of its own.
    Tile *tileWrittenOver(StepId id, Index sequence, Index head, Rows rows);

    RunState &m_run;
    std::map<StepId, Tile> m_tiles;
    std::vector<Numbers> m_spare; ///< room that was used before
};

} // namespace headlight::core
