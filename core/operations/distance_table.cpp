#include "core/operations/distance_table.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace headlight::core {

Index distanceRow(Index distance, const DistanceTable &table) {
    assert(table.span >= 1);
    const Index alone = table.span / 2, away = std::abs(distance);
    Index relative = distance;
    if (table.maximumDistance > 0 && away > alone) {
        const auto near = static_cast<float>(alone);
        const float farthest = std::log(static_cast<float>(table.maximumDistance - 1) / near);
        const float share = std::log(static_cast<float>(away) / near) / farthest;
        const auto further = static_cast<Index>(std::ceil(share * static_cast<float>(alone - 1)));
        relative = distance < 0 ? -(alone + further) : alone + further;
    }
    return std::clamp<Index>(relative + table.span, 0, table.rows() - 1);
}

std::vector<Index> nearestDistances(const DistanceTable &table) {
    if (table.span == 0)
        return {};
    std::vector<std::optional<Index>> found(static_cast<std::size_t>(table.rows()));
    const Index farthest = std::max(table.span, table.maximumDistance);
    for (Index away = 0; away <= farthest; ++away)
        for (const Index distance : {away, -away}) {
            auto &row = found[static_cast<std::size_t>(distanceRow(distance, table))];
            if (!row)
                row = distance;
        }
    std::vector<Index> all(found.size());
    for (std::size_t row = 0; row < all.size(); ++row)
        all[row] = found[row].value_or(static_cast<Index>(row) - table.span);
    return all;
}

DistanceRows::DistanceRows(Index queries, Index keys, const DistanceTable &table)
    : m_after(keys - 1) {
    for (Index distance = -m_after; distance < queries; ++distance)
        m_of.push_back(distanceRow(distance, table));
}

void pickDistances(const PickDistances &of, const DistanceRows &row, MatrixView x,
                   MutableMatrixView out, Index first) {
    for (Index i = 0; i < out.rows; ++i)
        for (Index j = 0; j < out.columns; ++j)
            out(i, j) = x(of.byKeys ? j : i, row(first + i, j));
}

void pickDistancesBackward(const PickDistances &of, const DistanceRows &row, MatrixView outGradient,
                           MutableMatrixView xGradient, Index first) {
    for (Index i = 0; i < outGradient.rows; ++i)
        for (Index j = 0; j < outGradient.columns; ++j)
            xGradient(of.byKeys ? j : first + i, row(first + i, j)) += outGradient(i, j);
}

} // namespace headlight::core
