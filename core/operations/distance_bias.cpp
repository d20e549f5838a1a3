#include "core/operations/distance_bias.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace headlight::core {

namespace {

/// The buckets of all distances between `queries` queries and S keys, by key − query.
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

void write(const DistanceBias::Alibi &of, Index head, MatrixView, MutableMatrixView out,
           Index first) {
    const float slope = of.slopes[static_cast<std::size_t>(head)];
    for (Index row = 0; row < out.rows; ++row) {
        const Index i = first + row;
        for (Index j = 0; j < out.columns; ++j)
            out(row, j) = -slope * static_cast<float>(i < j ? j - i : i - j);
    }
}

void write(const DistanceBias::Relative &of, Index, MatrixView column, MutableMatrixView out,
           Index first) {
    assert(column.rows == of.config.buckets);
    const Buckets bucket(first + out.rows, out.columns, of.config, of.bothWays);
    for (Index i = 0; i < out.rows; ++i)
        for (Index j = 0; j < out.columns; ++j)
            out(i, j) = column(bucket(first + i, j), 0);
}

} // namespace

std::vector<float> alibiSlopes(Index heads) {
    assert(heads >= 1);
    const auto power = static_cast<Index>(std::bit_floor(static_cast<std::uint64_t>(heads)));
    const double step = 8 / static_cast<double>(power);
    std::vector<float> slopes;
    for (Index head = 0; head < heads; ++head) {
        const double steps =
            head < power ? static_cast<double>(head + 1) : static_cast<double>(head - power) + 0.5;
        slopes.push_back(static_cast<float>(std::exp2(-step * steps)));
    }
    return slopes;
}

Index relativeBucket(Index distance, const RelativeConfig &config, bool bothWays) {
    assert(config.buckets >= 1 && config.maximumDistance >= 1);
    const Index count = bothWays ? std::max<Index>(config.buckets / 2, 1) : config.buckets;
    const Index first = bothWays && distance > 0 ? std::min(count, config.buckets - 1) : 0;
    const Index away = bothWays ? std::abs(distance) : std::max<Index>(-distance, 0);
    const Index alone = count / 2; // number of distances with their own bucket
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

void distanceBias(const DistanceBias &of, Index head, MatrixView column, MutableMatrixView out,
                  Index first) {
    std::visit([&](const auto &by) { write(by, head, column, out, first); }, of.by);
}

void distanceBiasBackward(const DistanceBias &of, MatrixView outGradient,
                          MutableMatrixView columnGradient, Index first) {
    const auto *learned = std::get_if<DistanceBias::Relative>(&of.by);
    if (!learned)
        return;
    assert(columnGradient.rows == learned->config.buckets);
    const Buckets bucket(first + outGradient.rows, outGradient.columns, learned->config,
                         learned->bothWays);
    std::vector<double> sums(static_cast<std::size_t>(columnGradient.rows));
    for (Index i = 0; i < outGradient.rows; ++i)
        for (Index j = 0; j < outGradient.columns; ++j)
            sums[static_cast<std::size_t>(bucket(first + i, j))] +=
                static_cast<double>(outGradient(i, j));
    for (Index row = 0; row < columnGradient.rows; ++row)
        columnGradient(row, 0) += static_cast<float>(sums[static_cast<std::size_t>(row)]);
}

} // namespace headlight::core
