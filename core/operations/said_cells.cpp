#include "core/operations/said_cells.h"

#include <algorithm>
#include <tuple>

namespace headlight::core {

SaidCells::SaidCells(const CellMask &layer, Index sequence, Index queries, Index keys) {
    std::vector<Run> cells;
    for (const MaskCell &said : layer.cells) {
        const bool isHere = !said.sequence || *said.sequence == sequence;
        const bool isInside =
            said.query >= 0 && said.query < queries && said.key >= 0 && said.key < keys;
        if (isHere && isInside)
            cells.push_back({said.query, said.key, said.key + 1, said.visible});
    }
    const auto place = [](const Run &cell) { return std::tuple(cell.query, cell.first); };
    if (!std::ranges::is_sorted(cells, {}, place))  // cells of a table are sorted already
        std::ranges::stable_sort(cells, {}, place); // stable: the last entry for a cell stays last
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (i + 1 == cells.size() || place(cells[i]) != place(cells[i + 1]))
            append(cells[i]);
}

void SaidCells::append(const Run &cell) {
    if (!m_runs.empty()) {
        Run &last = m_runs.back();
        if (last.query == cell.query && last.end == cell.first && last.visible == cell.visible) {
            last.end = cell.end;
            return;
        }
    }
    m_runs.push_back(cell);
}

MaskWord SaidCells::at(Index query, Index key, Index keys) const {
    using Says = MaskWord::Says;
    const auto run = std::ranges::partition_point(m_runs, [&](const Run &one) {
        return one.query < query || (one.query == query && one.end <= key);
    });
    if (run == m_runs.end() || run->query != query)
        return {Says::Nothing, keys};
    if (run->first > key)
        return {Says::Nothing, run->first};
    return {run->visible ? Says::ShowByHand : Says::HideByHand, run->end};
}

} // namespace headlight::core
