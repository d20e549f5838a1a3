#include "core/analysis/block_summary.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

namespace {

/// Number of values that are read at once if they must be copied.
constexpr Index kSummedAtOnce = Index(1) << 16;

} // namespace

BlockSummary::BlockSummary(const ParameterBlock &block) {
    const Index height = std::max(Index(1), kSummedAtOnce / std::max(Index(1), block.columns));
    for (Index first = 0; first < block.rows; first += height) {
        const Index count = std::min(height, block.rows - first);
        const Result<SharedMatrix> rows = block.rowBlock(first, count).read();
        for (Index row = 0; row < count; ++row)
            m_rows.push_back(rows ? summaryOf(rows->row(row)) : Row());
    }
    addUp();
}

void BlockSummary::update(const ParameterBlock &block, std::span<const Index> rows) {
    for (const Index row : rows)
        m_rows[static_cast<std::size_t>(row)] = summaryOf(block.row(row));
    addUp();
}

BlockSummary::Row BlockSummary::summaryOf(std::span<const float> numbers) {
    Row row;
    for (const float number : numbers) {
        if (std::isnan(number))
            continue;
        const auto wide = static_cast<double>(number);
        row.least = row.count == 0 ? wide : std::min(row.least, wide);
        row.most = row.count == 0 ? wide : std::max(row.most, wide);
        row.sum += wide;
        ++row.count;
        if (std::isfinite(number))
            row.largest = std::max(row.largest, std::abs(number));
    }
    return row;
}

void BlockSummary::addUp() {
    m_all = {};
    for (const Row &row : m_rows) {
        if (row.count == 0)
            continue;
        m_all.least = m_all.count == 0 ? row.least : std::min(m_all.least, row.least);
        m_all.most = m_all.count == 0 ? row.most : std::max(m_all.most, row.most);
        m_all.sum += row.sum;
        m_all.count += row.count;
        m_all.largest = std::max(m_all.largest, row.largest);
    }
}

} // namespace headlight::core
