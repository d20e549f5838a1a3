// Sines and cosines of positions: the same for every sequence, head and layer, made once.
#pragma once

#include "core/operations/position.h"
#include "core/operations/rotary.h"

#include <optional>

namespace headlight::core {

/// Remembers the tables that were asked for last.
class PositionTables {
  public:
    const RotaryTable &rotary(const RotaryTurns &turns, Index length) {
        if (!m_rotary || m_turns != turns || m_rotary->cosine.rows() != length) {
            m_rotary.emplace(turns, length);
            m_turns = turns;
        }
        return *m_rotary;
    }
    const Matrix &sinusoids(Index length, Index width, SinusoidOrder order) {
        if (m_sinusoids.rows() != length || m_sinusoids.columns() != width || m_order != order) {
            m_sinusoids = sinusoidalPositions(length, width, order);
            m_order = order;
        }
        return m_sinusoids;
    }

  private:
    RotaryTurns m_turns;
    std::optional<RotaryTable> m_rotary;
    SinusoidOrder m_order{};
    Matrix m_sinusoids;
};

} // namespace headlight::core
