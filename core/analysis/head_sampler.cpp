#include "core/analysis/head_sampler.h"

#include "core/transformer/run/forward.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

namespace {

constexpr Index kBytesAtOnce = Index(4) << 20; // read from the matrix

constexpr double kMaxSampleBytes = 32 * 1024 * 1024; // limit for all samples together
constexpr Index kLargestSide = 256;                  // more than a thumbnail has pixels

/// Returns a mask that hides the blocks whose cells are all hidden.
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

/// Keeps the number that is farthest from 0. NaN is replaced by any other number.
void lookAt(float number, float &strongest, bool &isFirst) {
    if (isFirst || std::abs(number) > std::abs(strongest) || std::isnan(strongest))
        strongest = number;
    isFirst = false;
}

} // namespace

BlockOfCells blockOf(Index index, Index blocks, Index cells) {
    return {index * cells / blocks, (index + 1) * cells / blocks};
}

Index sampleSide(Index heads) {
    const double side = std::sqrt(kMaxSampleBytes / sizeof(float) / static_cast<double>(heads));
    return std::clamp<Index>(static_cast<Index>(side), 1, kLargestSide);
}

HeadSampler::HeadSampler(const Trace &trace, StageId at, Index sequence, Index side)
    : m_trace(trace.withoutDetails()), m_step(*m_trace->plan().find(at)) {
    const Step &step = m_trace->plan()[m_step];
    m_sequence = step.sequences() == 1 ? 0 : sequence;
    m_rows = step.shape.last(1);
    m_columns = step.shape.last(0);
    if (side == 0)
        side = sampleSide(m_trace->model().headsOf(at.attention));
    m_height = std::min(m_rows, side);
    m_width = std::min(m_columns, side);
    for (StepId id = 0; id < m_trace->plan().size(); ++id)
        m_known.push_back(trace.held(id));
    const Mask &mask = m_trace->mask(sequence, at.attention);
    if (!mask.hidesAnything())
        return;
    m_mask = {m_trace->masks(at.attention), &mask};
    m_hidden = maskOfBlocks(mask, m_height, m_width);
}

Result<HeadSample> HeadSampler::of(Index head, const std::stop_token &stop) const {
    const auto made = std::make_shared<Matrix>(m_height, m_width);
    const Index own = m_trace->headOf(m_step, head);
    const Index atOnce =
        std::max<Index>(1, kBytesAtOnce / (m_columns * static_cast<Index>(sizeof(float))));
    std::vector<char> isFirst(static_cast<std::size_t>(m_width), true);
    Index row = 0; // row of the sample
    for (Index first = 0; first < m_rows; first += atOnce) {
        const Rows rows{first, std::min(atOnce, m_rows - first)};
        const Result<SharedMatrix> part =
            makeRows(*m_trace, m_known, m_step, m_sequence, own, rows, stop);
        if (!part)
            return part.error();
        for (Index query = first; query < first + rows.count; ++query) {
            if (query >= blockOf(row, m_height, m_rows).end) {
                ++row;
                std::ranges::fill(isFirst, char(true));
            }
            const auto numbers = part->row(query - first);
            const auto strongest = made->view().row(row);
            for (Index column = 0; column < m_width; ++column) {
                const auto at = static_cast<std::size_t>(column);
                const BlockOfCells keys = blockOf(column, m_width, m_columns);
                const auto look = [&](Index from, Index end) {
                    for (Index key = from; key < end; ++key) {
                        bool isOne = isFirst[at] != 0;
                        lookAt(numbers[static_cast<std::size_t>(key)], strongest[at], isOne);
                        isFirst[at] = isOne;
                    }
                };
                if (!m_mask)
                    look(keys.first, keys.end);
                else
                    m_mask->forEachRun(query, keys.first, keys.end, [&](const MaskRun &run) {
                        if (!run.hidden())
                            look(run.first, run.end);
                    });
            }
        }
    }
    return HeadSample{{made->view(), made}, m_rows, m_columns};
}

} // namespace headlight::core
