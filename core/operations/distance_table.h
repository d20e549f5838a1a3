// The rows of a table with learned vectors for the distances of two tokens (He et al. 2021). Small
// distances have their own rows; larger ones share rows on a logarithmic scale.
#pragma once

#include "core/tensor/matrix.h"

#include <vector>

namespace headlight::core {

struct DistanceTable {
    Index span = 0; ///< k: the table has 2·k rows, for distances from about −k to k
    /// If more than 0, distances above k/2 share rows on a logarithmic scale, which ends near this
    /// value. 0: each distance has its own row. Distances beyond the table always have its first or
    /// last row.
    Index maximumDistance = 0;

    Index rows() const { return 2 * span; }
    bool operator==(const DistanceTable &) const = default;
};

/// Returns the row of a distance = query − key, as make_log_bucket_position() in DeBERTa's code
/// does. Computed with 32-bit floats, because models were trained with that rounding.
Index distanceRow(Index distance, const DistanceTable &table);

/// Returns the distance nearest to 0 for each row of the table, which can be empty. For row r
/// without a distance, returns r − k.
std::vector<Index> nearestDistances(const DistanceTable &table);

/// The table rows for all distances between `queries` queries and `keys` keys.
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

/// Picks values from a matrix x that has a column for each row of a distance table: out(i, j) =
/// x(i, row of i − j), or with `byKeys` x(j, row of i − j).
struct PickDistances {
    DistanceTable table;
    bool byKeys = false;
    bool operator==(const PickDistances &) const = default;
};

/// `row`: the rows of the same table for all queries and keys. Row i of `out` and, without
/// `byKeys`, of x belongs to query first + i.
void pickDistances(const PickDistances &of, const DistanceRows &row, MatrixView x,
                   MutableMatrixView out, Index first = 0);

/// Adds to the gradient of the complete x: row i of xGradient belongs to query i or, with `byKeys`,
/// to key i. Row i of outGradient belongs to query first + i.
void pickDistancesBackward(const PickDistances &of, const DistanceRows &row, MatrixView outGradient,
                           MutableMatrixView xGradient, Index first = 0);

} // namespace headlight::core
