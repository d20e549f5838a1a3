#include "core/operations/relative_position.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

namespace {

/// Buckets of all distances between the queries before `queries` and S keys, indexed by key −
/// query.
class Buckets {
  public:
    Buckets(Index queries, Index keys, const RelativeConfig &config, bool bothWays)
        : m_before(queries - 1) {
        for (Index distance = -m_before; distance < keys; ++distance)
            m_of.push_back(relativeBucket(distance, config, bothWays));
    }
    Index operator()(Index query, Index key) const {
        return m_of[static_cast<std::size_t>(key - query + m_before)];
    }

  private:
    Index m_before;
    std::vector<Index> m_of;
};

} // namespace

Index relativeBucket(Index distance, const RelativeConfig &config, bool bothWays) {
    assert(config.buckets >= 1 && config.maximumDistance >= 1);
    const Index count = bothWays ? std::max<Index>(config.buckets / 2, 1) : config.buckets;
    const Index first = bothWays && distance > 0 ? std::min(count, config.buckets - 1) : 0;
    const Index away = bothWays ? std::abs(distance) : std::max<Index>(-distance, 0);
    const Index alone = count / 2; // number of distances that have their own bucket
    if (away < alone)
        return first + away;
    if (away >= config.maximumDistance || alone == 0)
        return first + count - 1;
    const auto near = static_cast<float>(alone);
    const auto farthest = static_cast<float>(
        std::log(static_cast<double>(config.maximumDistance) / static_cast<double>(alone)));
    const float share = std::log(static_cast<float>(away) / near) / farthest;
    const auto further = static_cast<Index>(share * static_cast<float>(count - alone));
    return first + std::min(alone + further, count - 1);
}

void relativeBias(MatrixView table, const RelativeConfig &config, bool bothWays, Index head,
                  MutableMatrixView out, Index first) {
    assert(table.rows == config.buckets);
    const Buckets bucket(first + out.rows, out.columns, config, bothWays);
    for (Index i = 0; i < out.rows; ++i)
        for (Index j = 0; j < out.columns; ++j)
            out(i, j) = table(bucket(first + i, j), head);
}

void relativeBiasBackward(MatrixView outGradient, const RelativeConfig &config, bool bothWays,
                          Index head, MutableMatrixView tableGradient, Index first) {
    assert(tableGradient.rows == config.buckets);
    const Buckets bucket(first + outGradient.rows, outGradient.columns, config, bothWays);
    std::vector<double> sums(static_cast<std::size_t>(config.buckets));
    for (Index i = 0; i < outGradient.rows; ++i)
        for (Index j = 0; j < outGradient.columns; ++j)
            sums[static_cast<std::size_t>(bucket(first + i, j))] +=
                static_cast<double>(outGradient(i, j));
    for (Index row = 0; row < config.buckets; ++row)
        tableGradient(row, head) += static_cast<float>(sums[static_cast<std::size_t>(row)]);
}

} // namespace headlight::core
