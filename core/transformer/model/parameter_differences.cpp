#include "core/transformer/model/parameter_differences.h"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace headlight::core {

namespace {

/// Number of values to compare at a time.
constexpr Index kLookedAtAtOnce = Index(1) << 16;

class Differences {
  public:
    Differences(const ParameterMatrix &before, const ParameterMatrix &after, Index most)
        : m_before(before), m_after(after), m_most(most) {}

    bool ofEdits() {
        const auto placeOf = [](const CellEdit &edit) { return std::tie(edit.row, edit.column); };
        auto old = m_before.edits().begin(), now = m_after.edits().begin();
        const auto oldEnd = m_before.edits().end(), nowEnd = m_after.edits().end();
        while (old != oldEnd || now != nowEnd) {
            const bool isOld = now == nowEnd || (old != oldEnd && placeOf(*old) <= placeOf(*now));
            const bool isNow = old == oldEnd || (now != nowEnd && placeOf(*now) <= placeOf(*old));
            const CellEdit &cell = isOld ? *old : *now;
            const auto was = m_before.number(cell.row, cell.column);
            const auto is = m_after.number(cell.row, cell.column);
            if (!was || !is || !note(cell.row, cell.column, *was, *is))
                return false;
            old += isOld ? 1 : 0;
            now += isNow ? 1 : 0;
        }
        return true;
    }

    bool ofNumbers() {
        const Index columns = m_after.columns();
        const Index height = std::max(Index(1), kLookedAtAtOnce / std::max(Index(1), columns));
        for (Index first = 0; first < m_after.rows(); first += height) {
            const Index count = std::min(height, m_after.rows() - first);
            const Result<SharedMatrix> was = m_before.read({first, 0, count, columns});
            const Result<SharedMatrix> is = m_after.read({first, 0, count, columns});
            if (!was || !is)
                return false;
            for (Index row = 0; row < count; ++row)
                if (!ofRow(first + row, was->row(row), is->row(row)))
                    return false;
        }
        return true;
    }

    std::vector<CellDifference> take() { return std::move(m_found); }

  private:
    bool ofRow(Index row, std::span<const float> was, std::span<const float> is) {
        if (std::memcmp(was.data(), is.data(), is.size_bytes()) == 0)
            return true; // fast path for most rows
        for (std::size_t column = 0; column < is.size(); ++column)
            if (!note(row, static_cast<Index>(column), was[column], is[column]))
                return false;
        return true;
    }
    bool note(Index row, Index column, float was, float is) {
        if (std::memcmp(&was, &is, sizeof is) == 0)
            return true;
        m_found.push_back({row, column, was, is});
        return static_cast<Index>(m_found.size()) <= m_most;
    }

    const ParameterMatrix &m_before, &m_after;
    Index m_most;
    std::vector<CellDifference> m_found;
};

} // namespace

std::vector<RowDifference> rowsThatDiffer(const ParameterBlock &before,
                                          const ParameterBlock &after) {
    assert(before.rows == after.rows && before.columns == after.columns);
    std::vector<RowDifference> rows;
    const auto note = [&rows](Index row, Index column) {
        if (rows.empty() || rows.back().row != row)
            rows.push_back({row, column, column});
        rows.back().last = column;
    };
    const MatrixBlock place = after.place();
    if (before.place() == place && before.parameter()->hasBaseOf(*after.parameter())) {
        const auto all = before.parameter()->edits().size() + after.parameter()->edits().size();
        if (const auto cells =
                differencesOf(*before.parameter(), *after.parameter(), static_cast<Index>(all))) {
            for (const CellDifference &cell : *cells) {
                const Index row = cell.row - place.row, column = cell.column - place.column;
                if (row >= 0 && row < place.rows && column >= 0 && column < place.columns)
                    note(row, column);
            }
            return rows;
        }
    }
    const Index height = std::max(Index(1), kLookedAtAtOnce / std::max(Index(1), after.columns));
    for (Index first = 0; first < after.rows; first += height) {
        const Index count = std::min(height, after.rows - first);
        const Result<SharedMatrix> was = before.rowBlock(first, count).read();
        const Result<SharedMatrix> is = after.rowBlock(first, count).read();
        for (Index row = 0; row < count; ++row) {
            if (was && is &&
                std::memcmp(was->row(row).data(), is->row(row).data(), is->row(row).size_bytes()) ==
                    0)
                continue;
            for (Index column = 0; column < after.columns; ++column)
                if (!was || !is ||
                    std::memcmp(&was->row(row)[static_cast<std::size_t>(column)],
                                &is->row(row)[static_cast<std::size_t>(column)],
                                sizeof(float)) != 0)
                    note(first + row, column);
        }
    }
    return rows;
}

std::optional<std::vector<CellDifference>> differencesOf(const ParameterMatrix &before,
                                                         const ParameterMatrix &after, Index most) {
    if (before.rows() != after.rows() || before.columns() != after.columns())
        return std::nullopt;
    Differences differences(before, after, most);
    if (!(before.hasBaseOf(after) ? differences.ofEdits() : differences.ofNumbers()))
        return std::nullopt;
    return differences.take();
}

} // namespace headlight::core
