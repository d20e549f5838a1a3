#include "core/operations/cell_overrides.h"

#include <algorithm>
#include <tuple>

namespace headlight::core {

CellOverrides::CellOverrides(const CellMask &layer, Index sequence, Index queries, Index keys) {
    std::vector<Run> cells;
    for (const MaskCell &cell : layer.cells) {
        const bool isHere = !cell.sequence || *cell.sequence == sequence;
        const bool isInside =
            cell.query >= 0 && cell.query < queries && cell.key >= 0 && cell.key < keys;
        if (isHere && isInside)
            cells.push_back({cell.query, cell.key, cell.key + 1, cell.visible});
    }
    const auto place = [](const Run &cell) { return std::tuple(cell.query, cell.first); };
    if (!std::ranges::is_sorted(cells, {}, place))  // stored tables are already sorted
        std::ranges::stable_sort(cells, {}, place); // stable: the last entry for a cell stays last
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (i + 1 == cells.size() || place(cells[i]) != place(cells[i + 1]))
            append(cells[i]);
}

CellOverrides::CellOverrides(const std::vector<bool> &hidden, Index keys) {
    for (std::size_t cell = 0; cell < hidden.size(); ++cell)
        if (hidden[cell]) {
            const Index query = static_cast<Index>(cell) / keys;
            const Index key = static_cast<Index>(cell) % keys;
            append({query, key, key + 1, false});
        }
}

void CellOverrides::append(const Run &cell) {
    if (!m_runs.empty()) {
        Run &last = m_runs.back();
        if (last.query == cell.query && last.end == cell.first && last.visible == cell.visible) {
            last.end = cell.end;
            return;
        }
    }
    m_runs.push_back(cell);
}

MaskWord CellOverrides::at(Index query, Index key, Index keys) const {
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
