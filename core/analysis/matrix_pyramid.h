// A pyramid of a large matrix. Its levels store the value farthest from 0, or the mean, of each
// block of 4 × 4, 8 × 8, 16 × 16 … cells. A picture with fewer pixels than cells reads one level
// instead of all cells.
#pragma once

#include "core/operations/mask.h"
#include "core/result.h"
#include "core/tensor/matrix.h"

#include <cmath>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace headlight::core {

/// Returns the number that is farther from 0, or `a` if both are equally far. Any number is
/// preferred to NaN.
inline float strongerOf(float a, float b) {
    return std::abs(b) > std::abs(a) || std::isnan(a) ? b : a;
}

/// The number that represents a block of cells: the one farthest from 0, or their mean.
enum class BlockNumber { Largest, Mean };

/// Matrices smaller than this are read cell by cell.
inline constexpr Index kMinPyramidCells = Index(1) << 21;

class MatrixPyramid {
  public:
    struct Level {
        Index side = 0; ///< rows and columns of a block
        Matrix numbers; ///< one value per block; blocks at the end may be smaller
        /// Number of visible finite cells per block, in row-major order. It is the block's weight
        /// in a mean. 16 bits suffice, because no block is larger than kMaxSide × kMaxSide. Empty
        /// if the blocks store their largest value.
        std::vector<std::uint16_t> counts;
        std::uint16_t &countAt(Index row, Index column) {
            return counts[static_cast<std::size_t>(row * numbers.columns() + column)];
        }
        std::span<const std::uint16_t> countsOf(Index row) const {
            return std::span(counts).subspan(static_cast<std::size_t>(row * numbers.columns()),
                                             static_cast<std::size_t>(numbers.columns()));
        }
    };
    static constexpr Index kMaxSide = 128;

    /// Builds the pyramid. Hidden cells do not count; `mask` may be null. A block without numbers
    /// is NaN. With `ofRows`, each number is divided by the largest absolute value in its row.
    /// Takes about a twelfth of the matrix's memory, or an eighth with means. Errors: not enough
    /// memory; "cancelled".
    static Result<MatrixPyramid> of(MatrixView matrix, const Mask *mask, BlockNumber blocks,
                                    bool ofRows, const std::stop_token &stop = {});

    /// Sorted from small blocks to large ones.
    const std::vector<Level> &levels() const & { return m_levels; }
    const std::vector<Level> &levels() const && = delete;
    /// Returns the level with the largest blocks of at most `cells` × `cells`; null if all are
    /// larger.
    const Level *levelFor(double cells) const;
    BlockNumber blocks() const { return m_blocks; }
    /// True if values are divided by the largest absolute value in their row.
    bool isOfRows() const { return m_ofRows; }
    std::size_t bytes() const;

  private:
    std::vector<Level> m_levels;
    BlockNumber m_blocks = BlockNumber::Largest;
    bool m_ofRows = false;
};

} // namespace headlight::core
