#include "core/analysis/matrix_pyramid.h"

#include "core/cancelled.h"
#include "core/tensor/in_parallel.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <new>
#include <span>

namespace headlight::core {

namespace {

constexpr float kNoNumber = std::numeric_limits<float>::quiet_NaN();
constexpr Index kFirstSide = 4;
constexpr Index kLastBlocks = 64; // the last level has at most this many blocks per side

Index blocksOf(Index cells, Index side) {
    return (cells + side - 1) / side;
}

/// One row of blocks: the strongest value of each column, or the sum and count of each block.
class BlockRow {
  public:
    BlockRow(Index columns, Index side, BlockNumber blocks) : m_side(side), m_blocks(blocks) {
        if (blocks == BlockNumber::Largest) {
            m_largest.resize(static_cast<std::size_t>(columns));
        } else {
            m_sums.resize(static_cast<std::size_t>(blocksOf(columns, side)));
            m_counts.resize(m_sums.size());
        }
    }
    void clear() {
        std::ranges::fill(m_largest, kNoNumber);
        std::ranges::fill(m_sums, 0.0);
        std::ranges::fill(m_counts, 0);
    }
    /// Adds the visible cells first … end − 1 of a row, each multiplied by `scale`.
    void add(std::span<const float> row, Index first, Index end, float scale) {
        if (m_blocks == BlockNumber::Largest)
            addLargest(row.data(), first, end, scale);
        else
            addSums(row.data(), first, end, scale);
    }
    /// Writes row `i` of a level.
    void write(MatrixPyramid::Level &level, Index i) const {
        for (Index j = 0; j < level.numbers.columns(); ++j) {
            const auto at = static_cast<std::size_t>(j);
            if (m_blocks == BlockNumber::Largest) {
                const Index end = std::min(std::ssize(m_largest), (j + 1) * m_side);
                float largest = kNoNumber;
                for (Index c = j * m_side; c < end; ++c)
                    largest = strongerOf(largest, m_largest[static_cast<std::size_t>(c)]);
                level.numbers(i, j) = largest;
                continue;
            }
            level.numbers(i, j) =
                m_counts[at] == 0
                    ? kNoNumber
                    : static_cast<float>(m_sums[at] / static_cast<double>(m_counts[at]));
            level.countAt(i, j) = static_cast<std::uint16_t>(m_counts[at]);
        }
    }

  private:
    void addLargest(const float *numbers, Index first, Index end, float scale) {
        float *const largest = m_largest.data();
        // Branch-free, so that compilers can vectorise the loop.
        for (Index column = first; column < end; ++column) {
            const float number = numbers[column] * scale;
            const float before = largest[column];
            const bool isStronger =
                (std::abs(number) > std::abs(before)) | (before != before); // true for NaN
            largest[column] = isStronger ? number : before;
        }
    }
    void addSums(const float *numbers, Index first, Index end, float scale) {
        for (Index column = first; column < end;) {
            const Index block = column / m_side;
            const Index last = std::min(end, (block + 1) * m_side);
            float sum = 0;
            Index count = 0;
            for (; column < last; ++column) {
                const float number = numbers[column] * scale;
                const bool isNumber = std::isfinite(number);
                sum += isNumber ? number : 0;
                count += isNumber ? 1 : 0;
            }
            m_sums[static_cast<std::size_t>(block)] += static_cast<double>(sum);
            m_counts[static_cast<std::size_t>(block)] += count;
        }
    }

    Index m_side;
    BlockNumber m_blocks;
    std::vector<float> m_largest; // per column of the matrix
    std::vector<double> m_sums;   // per block
    std::vector<Index> m_counts;
};

float largestSize(std::span<const float> numbers) {
    float largest = 0;
    for (const float number : numbers)
        if (std::isfinite(number))
            largest = std::max(largest, std::abs(number));
    return largest;
}

/// Fills a level from the matrix. Returns false if it was stopped.
bool fillFirst(MatrixPyramid::Level &level, MatrixView matrix, const Mask *mask, BlockNumber number,
               bool ofRows, const std::stop_token &stop) {
    const Index rows = level.numbers.rows();
    constexpr Index kRowsAtOnce = 16; // rows of blocks
    std::atomic<bool> isStopped = false;
    inParallel(blocksOf(rows, kRowsAtOnce), [&](Index item, Index) {
        BlockRow blocks(matrix.columns, level.side, number);
        for (Index i = item * kRowsAtOnce; i < std::min(rows, (item + 1) * kRowsAtOnce); ++i) {
            if (isStopped || stop.stop_requested()) {
                isStopped = true;
                return;
            }
            blocks.clear();
            for (Index r = i * level.side; r < std::min(matrix.rows, (i + 1) * level.side); ++r) {
                const auto row = matrix.row(r);
                float scale = 1;
                const auto look = [&](Index first, Index end) {
                    blocks.add(row, first, end, scale);
                };
                const auto each = [&](auto work) {
                    if (!mask)
                        return work(Index(0), matrix.columns);
                    mask->forEachRun(r, 0, matrix.columns, [&](const MaskRun &run) {
                        if (!run.hidden())
                            work(run.first, run.end);
                    });
                };
                if (ofRows) {
                    float largest = 0;
                    each([&](Index first, Index end) {
                        largest = std::max(largest, largestSize(row.subspan(
                                                        static_cast<std::size_t>(first),
                                                        static_cast<std::size_t>(end - first))));
                    });
                    scale = largest > 0 ? 1 / largest : 1;
                }
                each(look);
            }
            blocks.write(level, i);
        }
    });
    return !isStopped;
}

/// Returns a level whose values are not set yet.
MatrixPyramid::Level emptyLevel(Index side, Index rows, Index columns, BlockNumber blocks) {
    const Index counts = blocks == BlockNumber::Mean ? rows * columns : 0;
    return {side, Matrix(rows, columns),
            std::vector<std::uint16_t>(static_cast<std::size_t>(counts))};
}

/// Returns the level whose blocks are 2 × 2 blocks of `level`.
MatrixPyramid::Level nextOf(const MatrixPyramid::Level &level, BlockNumber blocks) {
    const Index rows = level.numbers.rows(), columns = level.numbers.columns();
    MatrixPyramid::Level next =
        emptyLevel(2 * level.side, blocksOf(rows, 2), blocksOf(columns, 2), blocks);
    for (Index i = 0; i < next.numbers.rows(); ++i)
        for (Index j = 0; j < next.numbers.columns(); ++j) {
            float largest = kNoNumber;
            double sum = 0;
            int count = 0;
            for (Index r = 2 * i; r < std::min(rows, 2 * i + 2); ++r)
                for (Index c = 2 * j; c < std::min(columns, 2 * j + 2); ++c) {
                    if (blocks == BlockNumber::Largest) {
                        largest = strongerOf(largest, level.numbers(r, c));
                        continue;
                    }
                    const int visible = level.countsOf(r)[static_cast<std::size_t>(c)];
                    if (visible > 0)
                        sum += static_cast<double>(level.numbers(r, c)) * visible;
                    count += visible;
                }
            if (blocks == BlockNumber::Largest) {
                next.numbers(i, j) = largest;
                continue;
            }
            next.numbers(i, j) = count > 0 ? static_cast<float>(sum / count) : kNoNumber;
            next.countAt(i, j) = static_cast<std::uint16_t>(count);
        }
    return next;
}

} // namespace

Result<MatrixPyramid> MatrixPyramid::of(MatrixView matrix, const Mask *mask, BlockNumber blocks,
                                        bool ofRows, const std::stop_token &stop) try {
    MatrixPyramid pyramid;
    pyramid.m_blocks = blocks;
    pyramid.m_ofRows = ofRows;
    if (matrix.empty())
        return pyramid;
    const Index rows = blocksOf(matrix.rows, kFirstSide);
    const Index columns = blocksOf(matrix.columns, kFirstSide);
    Level first = emptyLevel(kFirstSide, rows, columns, blocks);
    if (!fillFirst(first, matrix, mask && mask->hidesAnything() ? mask : nullptr, blocks, ofRows,
                   stop))
        return cancelled();
    pyramid.m_levels.push_back(std::move(first));
    static_assert(kMaxSide * kMaxSide <= std::numeric_limits<std::uint16_t>::max());
    const auto isLast = [](const Level &level) {
        return 2 * level.side > kMaxSide ||
               std::max(level.numbers.rows(), level.numbers.columns()) <= kLastBlocks;
    };
    while (!isLast(pyramid.m_levels.back())) {
        if (stop.stop_requested())
            return cancelled();
        pyramid.m_levels.push_back(nextOf(pyramid.m_levels.back(), blocks));
    }
    return pyramid;
} catch (const std::bad_alloc &) {
    return Error{"there is not enough memory for the attention", "text", "use a shorter text"};
}

const MatrixPyramid::Level *MatrixPyramid::levelFor(double cells) const {
    const Level *found = nullptr;
    for (const Level &level : m_levels)
        if (static_cast<double>(level.side) <= cells)
            found = &level;
    return found;
}

std::size_t MatrixPyramid::bytes() const {
    std::size_t bytes = 0;
    for (const Level &level : m_levels)
        bytes += sizeof(float) * level.numbers.values().size() +
                 sizeof(std::uint16_t) * level.counts.size();
    return bytes;
}

} // namespace headlight::core
