#include "ui/views/heatmap_cell.h"

#include "ui/text/number_text.h"
#include "ui/views/figure_view.h"
#include "ui/views/heatmap_table.h"

namespace headlight::ui {

bool HeatmapCell::isValid() const {
    return m_table.isValid() && m_cell.row < m_table.rowCount() &&
           m_cell.column < m_table.columnCount();
}

QAccessibleInterface *HeatmapCell::parent() const {
    return &m_table;
}

QAccessibleInterface *HeatmapCell::table() const {
    return &m_table;
}

QString HeatmapCell::text(QAccessible::Text kind) const {
    FigureView *view = m_table.view();
    if (!view || !isValid())
        return {};
    const bool isBeside = m_table.isBeside(m_cell.column);
    if (kind == QAccessible::Name)
        return isBeside ? view->wordsOfSink(m_cell.row) : view->wordsOf(m_cell);
    if (kind == QAccessible::Value && isBeside)
        return fullText(view->shownHeatmap().content->beside[static_cast<std::size_t>(m_cell.row)]);
    if (kind == QAccessible::Value)
        return fullText(view->shownHeatmap().content->matrix()(m_cell.row, m_cell.column));
    return {};
}

QRect HeatmapCell::rect() const {
    return isValid() ? m_table.rectOf(m_cell) : QRect();
}

QAccessible::State HeatmapCell::state() const {
    QAccessible::State state;
    const FigureView *view = m_table.view();
    if (!view || !isValid()) {
        state.invalid = true;
        return state;
    }
    state.focusable = true;
    // In the column beside the matrix, only the row is selectable.
    state.selectable = !m_table.isBeside(m_cell.column);
    state.readOnly = true;
    state.invisible = !view->isVisible();
    state.selected = isSelected();
    state.focused = state.selected && view->hasFocus();
    return state;
}

void *HeatmapCell::interface_cast(QAccessible::InterfaceType type) {
    if (type == QAccessible::TableCellInterface)
        return static_cast<QAccessibleTableCellInterface *>(this);
    if (type == QAccessible::ActionInterface)
        return static_cast<QAccessibleActionInterface *>(this);
    return nullptr;
}

bool HeatmapCell::isSelected() const {
    return m_table.selectedCell() == m_cell;
}

void HeatmapCell::doAction(const QString &name) {
    FigureView *view = m_table.view();
    if (!view || !isValid())
        return;
    if (m_table.isBeside(m_cell.column))
        view->selectSinkRow(m_cell.row);
    else
        view->selectCell(m_cell);
    if (name == setFocusAction())
        view->setFocus(Qt::OtherFocusReason);
}

} // namespace headlight::ui
