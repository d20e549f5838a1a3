#include "ui/document/matrix_delta.h"

#include <bit>
#include <cstring>

namespace headlight::ui {

namespace {

/// More cells than this share of the matrix cost about as much as the matrix.
constexpr std::size_t kLargestShare = 8;

bool sameSize(const core::Parameter &a, const core::Parameter &b) {
    return a && b && a->rows() == b->rows() && a->columns() == b->columns();
}

bool sameBits(float a, float b) {
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

} // namespace

MatrixDelta::MatrixDelta(const core::Parameter &before, const core::Parameter &after)
    : m_knownBefore(before), m_knownAfter(after) {
    if (before == after)
        return;
    m_isWhole = !sameSize(before, after);
    if (!m_isWhole) {
        const std::vector<float> &old = before->values();
        const std::vector<float> &now = after->values();
        const auto width = static_cast<std::size_t>(after->columns());
        for (std::size_t row = 0; row < now.size() && !m_isWhole; row += width) {
            if (std::memcmp(&old[row], &now[row], width * sizeof(float)) == 0)
                continue; // most rows, at once
            for (std::size_t i = row; i < row + width; ++i)
                if (!sameBits(old[i], now[i]))
                    m_cells.push_back({static_cast<std::uint32_t>(i), old[i], now[i]});
            m_isWhole = m_cells.size() > now.size() / kLargestShare;
        }
    }
    if (m_isWhole) {
        m_cells.clear();
        m_before = before;
        m_after = after;
    }
    m_cells.shrink_to_fit();
}

core::Parameter MatrixDelta::patched(const core::Parameter &present, const std::vector<Cell> &cells,
                                     float Cell::*which) {
    core::Matrix matrix = *present;
    const core::MutableMatrixView view = matrix.view();
    for (const Cell &cell : cells)
        view.data[cell.index] = cell.*which;
    return core::makeParameter(std::move(matrix));
}

core::Parameter MatrixDelta::before(const core::Parameter &present) const {
    if (m_isWhole)
        return m_before;
    if (core::Parameter known = m_knownBefore.lock())
        return known;
    return m_cells.empty() ? present : patched(present, m_cells, &Cell::before);
}

core::Parameter MatrixDelta::after(const core::Parameter &present) const {
    if (m_isWhole)
        return m_after;
    if (core::Parameter known = m_knownAfter.lock())
        return known;
    return m_cells.empty() ? present : patched(present, m_cells, &Cell::after);
}

MatrixDelta MatrixDelta::then(const MatrixDelta &later) const {
    if (m_isWhole || later.m_isWhole) {
        const core::Parameter between = m_isWhole ? m_after : later.m_before;
        return {before(between), later.after(between)};
    }
    MatrixDelta both;
    both.m_knownBefore = m_knownBefore;
    both.m_knownAfter = later.m_knownAfter;
    auto first = m_cells.begin();
    auto second = later.m_cells.begin();
    while (first != m_cells.end() || second != later.m_cells.end()) {
        if (second == later.m_cells.end() ||
            (first != m_cells.end() && first->index < second->index)) {
            both.m_cells.push_back(*first++);
        } else if (first == m_cells.end() || second->index < first->index) {
            both.m_cells.push_back(*second++);
        } else {
            if (!sameBits(first->before, second->after))
                both.m_cells.push_back({first->index, first->before, second->after});
            ++first;
            ++second;
        }
    }
    both.m_cells.shrink_to_fit();
    return both;
}

std::size_t MatrixDelta::bytes() const {
    const auto of = [](const core::Parameter &matrix) {
        return matrix ? matrix->values().size() * sizeof(float) : 0;
    };
    return sizeof(MatrixDelta) + m_cells.capacity() * sizeof(Cell) + of(m_before) + of(m_after);
}

} // namespace headlight::ui
