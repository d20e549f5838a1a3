#include "core/analysis/head_sampler.h"

#include "core/analysis/matrix_pyramid.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight::core {

namespace {

constexpr double kMaxSampleBytes = 32 * 1024 * 1024; // limit for all samples together
constexpr Index kLargestSide = 256;                  // more pixels than a thumbnail has

/// Updates `strongest` if `number` has a larger absolute value. Any number replaces NaN.
void lookAt(float number, float &strongest, bool &isFirst) {
    strongest = isFirst ? number : strongerOf(strongest, number);
    isFirst = false;
}

/// Calls work(block, numbers) with the visible numbers of each of `blocks` blocks of a row, whose
/// matrix has `keys` columns. A block with several runs of visible keys is passed several times. A
/// null `mask` hides nothing.
template <typename Work>
void forEachVisible(std::span<const float> numbers, Index query, Index keys, const Mask *mask,
                    Index blocks, const Work &work) {
    const auto pass = [&](Index from, Index end) {
        end = std::min(end, std::ssize(numbers));
        for (Index block = from * blocks / keys; block < blocks; ++block) {
            const BlockOfCells cells = blockOf(block, blocks, keys);
            if (cells.first >= end)
                return;
            const Index first = std::max(from, cells.first);
            work(static_cast<std::size_t>(block),
                 numbers.subspan(static_cast<std::size_t>(first),
                                 static_cast<std::size_t>(std::min(end, cells.end) - first)));
        }
    };
    if (!mask)
        return pass(0, keys);
    mask->forEachRun(query, [&](const MaskRun &run) {
        if (!run.hidden())
            pass(run.first, run.end);
    });
}

/// Fills a sample from the rows of the full matrix, which must be added in order.
class SampledRows {
  public:
    /// A null `mask` hides nothing.
    SampledRows(Index rows, Index columns, Index side, const Mask *mask)
        : m_rows(rows),
          m_columns(columns),
          m_made(std::make_shared<Matrix>(std::min(rows, side), std::min(columns, side))),
          m_isFirst(static_cast<std::size_t>(width()), true),
          m_mask(mask) {}

    /// `part` contains rows of the full matrix, starting with row `first`.
    void take(const MatrixView &part, Index first) {
        for (Index query = first; query < first + part.rows; ++query) {
            if (query >= blockOf(m_row, height(), m_rows).end) {
                ++m_row;
                std::ranges::fill(m_isFirst, char(true));
            }
            const auto strongest = m_made->view().row(m_row);
            forEachVisible(part.row(query - first), query, m_columns, m_mask, width(),
                           [&](std::size_t block, std::span<const float> numbers) {
                               bool isFirst = m_isFirst[block] != 0;
                               for (const float number : numbers)
                                   lookAt(number, strongest[block], isFirst);
                               m_isFirst[block] = isFirst;
                           });
        }
    }
    HeadSample sample() const { return {{m_made->view(), m_made}, m_rows, m_columns}; }

  private:
    Index height() const { return m_made->view().rows; }
    Index width() const { return m_made->view().columns; }
    Index m_rows, m_columns;
    std::shared_ptr<Matrix> m_made;
    std::vector<char> m_isFirst; // no value of this column's block has been seen yet
    const Mask *m_mask;
    Index m_row = 0; // current row of the sample
};

} // namespace

std::shared_ptr<const Mask> maskOfBlocks(const Mask &mask, Index height, Index width) {
    CellMask hidden;
    for (Index row = 0; row < height; ++row) {
        const BlockOfCells queries = blockOf(row, height, mask.queries());
        std::vector<char> isVisible(static_cast<std::size_t>(width), false);
        for (Index query = queries.first; query < queries.end; ++query)
            mask.forEachRun(query, [&](const MaskRun &run) {
                for (Index column = 0; !run.hidden() && column < width; ++column) {
                    const BlockOfCells keys = blockOf(column, width, mask.keys());
                    if (keys.first < run.end && keys.end > run.first)
                        isVisible[static_cast<std::size_t>(column)] = true;
                }
            });
        for (Index column = 0; column < width; ++column)
            if (!isVisible[static_cast<std::size_t>(column)])
                hidden.cells.push_back({{}, row, column, false});
    }
    if (hidden.cells.empty())
        return nullptr;
    return std::make_shared<const Mask>(MaskLayers{std::move(hidden)}, 0, height, width, width);
}

HeadSample sampleOf(const MatrixView &matrix, Index side, const Mask *mask) {
    SampledRows sampled(matrix.rows, matrix.columns, side,
                        mask && mask->hidesAnything() ? mask : nullptr);
    sampled.take(matrix, 0);
    return sampled.sample();
}

void sampleRow(std::span<const float> numbers, Index query, Index keys, const Mask *mask,
               std::span<float> blocks) {
    std::ranges::fill(blocks, std::numeric_limits<float>::quiet_NaN());
    forEachVisible(numbers, query, keys, mask, std::ssize(blocks),
                   [&](std::size_t block, std::span<const float> visible) {
                       for (const float number : visible)
                           blocks[block] = strongerOf(blocks[block], number);
                   });
}

HeadSample sampleOfRows(const MatrixView &reduced, Index keys, Index side) {
    const auto made = std::make_shared<Matrix>(std::min(reduced.rows, side), reduced.columns);
    const MutableMatrixView sample = made->view();
    for (Index row = 0; row < sample.rows; ++row) {
        const BlockOfCells queries = blockOf(row, sample.rows, reduced.rows);
        for (Index block = 0; block < sample.columns; ++block) {
            float strongest = reduced(queries.first, block);
            for (Index query = queries.first + 1; query < queries.end; ++query)
                strongest = strongerOf(strongest, reduced(query, block));
            sample(row, block) = std::isnan(strongest) ? 0 : strongest; // 0: all cells are hidden
        }
    }
    return {{made->view(), made}, reduced.rows, keys};
}

BlockOfCells blockOf(Index index, Index blocks, Index cells) {
    return {index * cells / blocks, (index + 1) * cells / blocks};
}

Index sampleSide(Index heads) {
    const double side = std::sqrt(kMaxSampleBytes / sizeof(float) / static_cast<double>(heads));
    return std::clamp<Index>(static_cast<Index>(side), 1, kLargestSide);
}

HeadSampler::HeadSampler(const Trace &trace, StageId at, Index sequence, Index side)
    : m_numbers(trace, *trace.plan().find(at), sequence) {
    const Trace &own = m_numbers.trace();
    const Shape &shape = own.plan()[*own.plan().find(at)].shape;
    m_rows = shape.last(1);
    m_columns = shape.last(0);
    if (side == 0)
        side = sampleSide(own.model().headsOf(at.attention));
    m_height = std::min(m_rows, side);
    m_width = std::min(m_columns, side);
    const Mask &mask = own.mask(sequence, at.attention);
    if (!mask.hidesAnything())
        return;
    m_mask = {own.masks(at.attention), &mask};
    m_hidden = maskOfBlocks(mask, m_height, m_width);
}

Result<HeadSample> HeadSampler::of(Index head, const std::stop_token &stop) const {
    SampledRows sampled(m_rows, m_columns, std::max(m_height, m_width), m_mask.get());
    const Outcome read = m_numbers.inBlocks(
        head, m_rows, [&](Index first, MatrixView rows) { sampled.take(rows, first); }, stop);
    if (!read)
        return read.error();
    return sampled.sample();
}

} // namespace headlight::core
