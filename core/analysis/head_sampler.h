// Downsampled matrices for the overview of all heads. Computes one head at a time and never holds a
// full matrix.
#pragma once

#include "core/analysis/rows_of_heads.h"

namespace headlight::core {

/// A downsampled matrix. Each value is the one with the largest absolute value in its block, so
/// that a single strong cell is never lost. Hidden cells count only if the whole block is hidden.
struct HeadSample {
    SharedMatrix numbers;
    Index ofRows = 0; ///< number of rows of the full matrix
    Index ofColumns = 0;
};

/// Cells first … end − 1 form block `index` if `cells` cells are divided into `blocks` blocks.
struct BlockOfCells {
    Index first = 0, end = 0;
};
BlockOfCells blockOf(Index index, Index blocks, Index cells);

/// Returns the maximum number of rows and of columns of each sample, so that the samples of all
/// these heads take little memory.
Index sampleSide(Index heads);

/// Samples a complete matrix to at most `side` rows and columns. `mask` hides cells of the matrix;
/// it may be null.
HeadSample sampleOf(const MatrixView &matrix, Index side, const Mask *mask);
/// Reduces one row of a matrix with `keys` columns to the strongest number of each block: NaN if
/// the mask hides the whole block. The row may lack hidden keys at its end. `mask` may be null.
void sampleRow(std::span<const float> numbers, Index query, Index keys, const Mask *mask,
               std::span<float> blocks);
/// Returns the sample of a matrix whose rows were all reduced with sampleRow(). Equals sampleOf()
/// if the matrix has no NaN.
HeadSample sampleOfRows(const MatrixView &reduced, Index keys, Index side);
/// Returns a mask for a sample of this size. It hides the blocks whose cells are all hidden. Null
/// if there are none.
std::shared_ptr<const Mask> maskOfBlocks(const Mask &mask, Index height, Index width);

/// Samples the heads of one attention module. Several threads can call of() at once, because it
/// shares no lock with the trace.
class HeadSampler {
  public:
    /// `at`: a stage of the trace whose columns are keys. A nonzero `side` overrides sampleSide().
    HeadSampler(const Trace &trace, StageId at, Index sequence, Index side = 0);

    /// Samples one head. Errors: as makeRows().
    Result<HeadSample> of(Index head, const std::stop_token &stop) const;
    /// True if the trace has the same values, because it comes from the same pass.
    bool isOf(const Trace &trace) const { return &m_numbers.trace().plan() == &trace.plan(); }
    /// Mask of the sample's cells whose blocks are completely hidden; null if there are none.
    const std::shared_ptr<const Mask> &hidden() const & { return m_hidden; }
    const std::shared_ptr<const Mask> &hidden() const && = delete;

  private:
    RowsOfHeads m_numbers;
    Index m_rows = 0, m_columns = 0; ///< size of the full matrix
    Index m_height = 0, m_width = 0; ///< size of a sample
    std::shared_ptr<const Mask> m_mask, m_hidden;
};

} // namespace headlight::core
