#include "core/analysis/strong_weights.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace headlight::core {

StrongWeightCollector::StrongWeightCollector(double least, std::size_t most)
    : m_least(static_cast<float>(least)), m_most(most) {}

void StrongWeightCollector::add(Index query, std::span<const float> row) {
    for (std::size_t key = 0; key < row.size(); ++key) {
        const float size = std::abs(row[key]);
        if (!(size >= m_least) || size == 0) // negated so that NaN is skipped
            continue;
        m_strong.weights.push_back(
            {static_cast<std::int32_t>(query), static_cast<std::int32_t>(key), row[key]});
        ++m_strong.found;
    }
    // Drops many at a time, because finding the weakest is slow.
    if (m_strong.weights.size() > 2 * m_most + row.size())
        dropWeakest();
    for (const float weight : row)
        if (std::abs(weight) > m_strong.largest)
            m_strong.largest = std::abs(weight);
}

void StrongWeightCollector::dropWeakest() {
    std::vector<StrongWeight> &all = m_strong.weights;
    if (all.size() <= m_most)
        return;
    const auto place = [](const StrongWeight &one) { return std::pair(one.query, one.key); };
    // Sorts equal weights by position, so that the result does not depend on how often this runs.
    std::ranges::nth_element(all, all.begin() + static_cast<std::ptrdiff_t>(m_most),
                             [&](const StrongWeight &one, const StrongWeight &other) {
                                 return std::tuple(-std::abs(one.weight), place(one)) <
                                        std::tuple(-std::abs(other.weight), place(other));
                             });
    all.resize(m_most);
}

StrongWeights StrongWeightCollector::take() {
    dropWeakest();
    std::ranges::sort(m_strong.weights, {},
                      [](const StrongWeight &one) { return std::pair(one.query, one.key); });
    return std::move(m_strong);
}

StrongWeights strongWeightsOf(MatrixView weights, Index queries, Index keys, double least,
                              std::size_t most) {
    StrongWeightCollector collector(least, most);
    const MatrixView shown = weights.columnBlock(0, std::min(keys, weights.columns));
    for (Index query = 0; query < std::min(queries, shown.rows); ++query)
        collector.add(query, shown.row(query));
    return collector.take();
}

StrongWeightFinder::StrongWeightFinder(const Trace &trace, AttentionId attention, Index sequence)
    : m_weights(trace, *trace.plan().find({Stage::AttentionWeights, attention}), sequence),
      m_queries(trace.queries(attention)[sequence].length),
      m_keys(trace.keys(attention)[sequence].length) {}

Result<StrongWeights> StrongWeightFinder::of(Index head, double least, std::size_t most,
                                             const std::stop_token &stop) const {
    StrongWeightCollector collector(least, most);
    const Outcome read = m_weights.inBlocks(
        head, m_queries,
        [&](Index first, MatrixView rows) {
            const auto keys = static_cast<std::size_t>(std::min(m_keys, rows.columns));
            for (Index row = 0; row < rows.rows; ++row)
                collector.add(first + row, rows.row(row).first(keys));
        },
        stop);
    if (!read)
        return read.error();
    return collector.take();
}

} // namespace headlight::core
