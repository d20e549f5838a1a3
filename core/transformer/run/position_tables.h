// Tables that all sequences, heads and layers share: the sines and cosines of positions, and the
// row of each distance in a distance table.
#pragma once

#include "core/operations/distance_table.h"
#include "core/operations/position.h"
#include "core/operations/rotary.h"

#include <list>
#include <mutex>

namespace headlight::core {

/// Computes each table only once and keeps it. Thread-safe.
class PositionTables {
  public:
    const RotaryTable &rotary(const RotaryAngles &turns, Index length) {
        const std::scoped_lock lock(m_mutex);
        for (const Rotary &made : m_rotary)
            if (made.turns == turns && made.table.cosine.rows() == length)
                return made.table;
        return m_rotary.emplace_back(Rotary{turns, RotaryTable(turns, length)}).table;
    }
    const Matrix &sinusoids(Index length, Index width, SinusoidOrder order) {
        const std::scoped_lock lock(m_mutex);
        for (const Sinusoids &made : m_sinusoids)
            if (made.table.rows() == length && made.table.columns() == width && made.order == order)
                return made.table;
        return m_sinusoids.emplace_back(Sinusoids{order, sinusoidalPositions(length, width, order)})
            .table;
    }
    const DistanceRows &distances(Index queries, Index keys, const DistanceTable &table) {
        const std::scoped_lock lock(m_mutex);
        for (const Distances &made : m_distances)
            if (made.queries == queries && made.keys == keys && made.table == table)
                return made.rows;
        return m_distances
            .emplace_back(Distances{queries, keys, table, DistanceRows(queries, keys, table)})
            .rows;
    }

  private:
    struct Rotary {
        RotaryAngles turns;
        RotaryTable table;
    };
    struct Sinusoids {
        SinusoidOrder order{};
        Matrix table;
    };
    struct Distances {
        Index queries = 0;
        Index keys = 0;
        DistanceTable table;
        DistanceRows rows;
    };
    std::mutex m_mutex;
    std::list<Rotary> m_rotary; // a list, so that returned references stay valid
    std::list<Sinusoids> m_sinusoids;
    std::list<Distances> m_distances;
};

} // namespace headlight::core
