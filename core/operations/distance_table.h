// The rows of a table with a learned vector for each distance of two tokens (He et al. 2021): near
// distances have a row each, farther ones share rows of logarithmically growing numbers of them.
#pragma once

#include "core/tensor/matrix.h"

#include <vector>

namespace headlight::core {

struct DistanceTable {
    Index span = 0; ///< k: the table has 2·k rows, for distances from about −k to k
    /// If more than 0, distances of k/2 and more share rows, up to this one. 0: distances share
    /// none, except those beyond the table, which have the first or the last row.
    Index maximumDistance = 0;

    Index rows() const { return 2 * span; }
    bool operator==(const DistanceTable &) const = default;
};

/// Returns the row of a distance = query − key, as make_log_bucket_position() in DeBERTa's code
/// does (in 32-bit floats, because models were trained with their rounding).
Index distanceRow(Index distance, const DistanceTable &table);

/// Returns the distance of each row: the one nearest to 0. Rows without a distance continue the
/// count.
std::vector<Index> nearestDistances(const DistanceTable &table);

/// The rows of all distances between `queries` queries and `keys` keys.
class DistanceRows {
  public:
    DistanceRows(Index queries, Index keys, const DistanceTable &table);
    Index operator()(Index query, Index key) const {
        return m_of[static_cast<std::size_t>(query - key + m_after)];
    }

  private:
    Index m_after;
    std::vector<Index> m_of; ///< by query − key
};

/// The numbers of a matrix with a column for each row of a distance table: out(i, j) = x(i, row of
/// i − j), or with `byKeys` x(j, row of i − j).
struct PickDistances {
    DistanceTable table;
    bool byKeys = false;
    bool operator==(const PickDistances &) const = default;
};

/// Row i of `out` and, without `byKeys`, of x belongs to query first + i.
void pickDistances(const PickDistances &of, MatrixView x, MutableMatrixView out, Index first = 0);

/// Adds to the gradient of x, whose matrix is whole. Row i of outGradient belongs to query first +
/// i.
void pickDistancesBackward(const PickDistances &of, MatrixView outGradient,
                           MutableMatrixView xGradient, Index first = 0);

} // namespace headlight::core
