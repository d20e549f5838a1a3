#include "ui/views/mask_brush.h"

#include "core/operations/mask.h"

#include <algorithm>

namespace headlight::ui {

using core::Index;

std::vector<edits::MaskId> lineOfCells(const Cell &from, const Cell &to) {
    const Index rows = std::abs(to.row - from.row), columns = std::abs(to.column - from.column);
    const Index down = from.row < to.row ? 1 : -1, right = from.column < to.column ? 1 : -1;
    std::vector<edits::MaskId> cells;
    Cell at = from;
    Index error = columns - rows;
    for (;;) {
        cells.push_back({at.row, at.column});
        if (at == to)
            return cells;
        const Index twice = 2 * error;
        if (twice > -rows) {
            error -= rows;
            at.column += right;
        }
        if (twice < columns) {
            error += columns;
            at.row += down;
        }
    }
}

std::vector<edits::MaskId> rectangleOfCells(const Cell &from, const Cell &to) {
    std::vector<edits::MaskId> cells;
    for (Index row = std::min(from.row, to.row); row <= std::max(from.row, to.row); ++row)
        for (Index column = std::min(from.column, to.column);
             column <= std::max(from.column, to.column); ++column)
            cells.push_back({row, column});
    return cells;
}

MaskBrush::MaskBrush(Document &document, const core::Selection &place, const Cell &first)
    : m_document(document),
      m_before(document.state()),
      m_attention(place.attention()),
      m_sequence(place.sequence),
      m_gesture(document.newGesture()),
      m_first(first),
      m_last(first) {
    const core::Batch &keys = m_before.input.keys(m_attention);
    const core::Mask mask(core::maskLayersOf(m_before.model.config, m_before.input, m_attention),
                          m_sequence, m_before.input.queries(m_attention).length(), keys.length(),
                          keys[m_sequence].length);
    const bool inside = first.row < mask.queries() && first.column < mask.keys();
    m_shows = inside && mask.hidden(first.row, first.column);
}

core::Outcome MaskBrush::lineTo(const Cell &cell) {
    const auto line = lineOfCells(m_last, cell);
    m_last = cell;
    m_cells.insert(line.begin(), line.end());
    return paint();
}

core::Outcome MaskBrush::rectangleTo(const Cell &cell) {
    const auto cells = rectangleOfCells(m_first, cell);
    m_last = cell;
    m_cells = {cells.begin(), cells.end()};
    return paint();
}

core::Outcome MaskBrush::paint() {
    core::Result<Change> change = edits::paintMaskCells(
        m_before, m_sequence, {m_cells.begin(), m_cells.end()}, m_shows, m_attention);
    if (!change)
        return change.error();
    return m_document.apply(*std::move(change), m_gesture);
}

void MaskBrush::cancel() {
    (void)m_document.apply(checked({m_before, {}}), m_gesture);
}

} // namespace headlight::ui
