#include "ui/document/matrix_delta.h"

#include "core/transformer/model/parameter_differences.h"

#include <bit>
#include <tuple>

namespace headlight::ui {

namespace {

/// If more than 1/8 of the cells changed, a list of cells costs about as much as the matrix.
constexpr core::Index kLargestShare = 8;

bool sameBits(float a, float b) {
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

} // namespace

MatrixDelta::MatrixDelta(const core::Parameter &before, const core::Parameter &after)
    : m_knownBefore(before), m_knownAfter(after) {
    if (before == after)
        return;
    std::optional<std::vector<core::CellDifference>> cells;
    if (before && after)
        cells = differencesOf(*before, *after, after->rows() * after->columns() / kLargestShare);
    if (!cells) {
        m_isWhole = true;
        m_before = before;
        m_after = after;
        return;
    }
    m_cells.reserve(cells->size());
    for (const core::CellDifference &cell : *cells)
        m_cells.push_back({static_cast<std::uint32_t>(cell.row),
                           static_cast<std::uint32_t>(cell.column), cell.before, cell.after});
}

core::Parameter MatrixDelta::patched(const core::Parameter &present, const std::vector<Cell> &cells,
                                     float Cell::*which) {
    std::vector<core::CellEdit> edits;
    edits.reserve(cells.size());
    for (const Cell &cell : cells)
        edits.push_back({cell.row, cell.column, cell.*which});
    return withCells(present, std::move(edits));
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
    const auto standsBefore = [](const Cell &a, const Cell &b) {
        return std::tie(a.row, a.column) < std::tie(b.row, b.column);
    };
    MatrixDelta both;
    both.m_knownBefore = m_knownBefore;
    both.m_knownAfter = later.m_knownAfter;
    auto first = m_cells.begin();
    auto second = later.m_cells.begin();
    while (first != m_cells.end() || second != later.m_cells.end()) {
        if (second == later.m_cells.end() ||
            (first != m_cells.end() && standsBefore(*first, *second))) {
            both.m_cells.push_back(*first++);
        } else if (first == m_cells.end() || standsBefore(*second, *first)) {
            both.m_cells.push_back(*second++);
        } else {
            if (!sameBits(first->before, second->after))
                both.m_cells.push_back({first->row, first->column, first->before, second->after});
            ++first;
            ++second;
        }
    }
    both.m_cells.shrink_to_fit();
    return both;
}

std::size_t MatrixDelta::bytes() const {
    const auto of = [](const core::Parameter &matrix) { return matrix ? matrix->memory() : 0; };
    return sizeof(MatrixDelta) + m_cells.capacity() * sizeof(Cell) + of(m_before) + of(m_after);
}

} // namespace headlight::ui
