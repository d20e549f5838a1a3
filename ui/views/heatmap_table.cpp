#include "ui/views/heatmap_table.h"

#include "ui/text/token_names.h"
#include "ui/views/figure_view.h"
#include "ui/views/heatmap_cell.h"

namespace headlight::ui {

namespace {

QAccessibleInterface *makeTable(const QString &, QObject *object) {
    auto *view = qobject_cast<FigureView *>(object);
    return view && view->info().isTable ? new HeatmapTable(view)
                                        : nullptr; // other widgets get Qt's default interface
}

} // namespace

void installHeatmapTables() {
    QAccessible::installFactory(makeTable); // Qt ignores a factory that is already installed
}

std::optional<TableUpdate> tableNews(FigureView &view, const ChangeEvent &event) {
    if (!view.info().isTable)
        return std::nullopt;
    if (const auto *moved = std::get_if<SelectionChanged>(&event)) {
        const core::Selection &before = moved->before;
        const core::Selection &now = view.document().selection();
        const bool sameTable = before.stage == now.stage && before.head == now.head &&
                               before.layer == now.layer && before.sequence == now.sequence;
        if (!sameTable)
            return TableUpdate{};
        if (!view.isVisible()) // a hidden view builds its figure when it is shown
            return std::nullopt;
        auto *table = static_cast<HeatmapTable *>(QAccessible::queryAccessibleInterface(&view));
        const std::optional<Cell> cell = table->selectedCell();
        if (!cell)
            return std::nullopt;
        return TableUpdate{view.hasFocus() ? QAccessible::Focus : QAccessible::Selection,
                           static_cast<int>(cell->row) * table->columnCount() +
                               static_cast<int>(cell->column)};
    }
    if (is<TraceChanged>(event) || is<SessionChanged>(event) || is<ComparisonChanged>(event))
        return TableUpdate{};
    return std::nullopt;
}

void announceNewTable(FigureView &view) {
    if (!QAccessible::isActive() || !view.info().isTable)
        return;
    QAccessibleTableModelChangeEvent told(&view, QAccessibleTableModelChangeEvent::ModelReset);
    QAccessible::updateAccessibility(&told);
}

void announceChange(FigureView &view, const ChangeEvent &event) {
    const std::optional<TableUpdate> news =
        QAccessible::isActive() ? tableNews(view, event) : std::nullopt;
    if (!news)
        return;
    if (news->event == QAccessible::TableModelChanged)
        return announceNewTable(view);
    QAccessibleEvent told(&view, news->event);
    told.setChild(news->child);
    QAccessible::updateAccessibility(&told);
}

HeatmapTable::HeatmapTable(FigureView *view) : QAccessibleWidget(view, QAccessible::Table) {}

HeatmapTable::~HeatmapTable() {
    forgetCells();
}

void HeatmapTable::forgetCells() {
    for (const auto &[place, id] : std::exchange(m_cells, {}))
        QAccessible::deleteAccessibleInterface(id);
}

void *HeatmapTable::interface_cast(QAccessible::InterfaceType type) {
    if (type == QAccessible::TableInterface)
        return static_cast<QAccessibleTableInterface *>(this);
    return QAccessibleWidget::interface_cast(type);
}

FigureView *HeatmapTable::view() const {
    return qobject_cast<FigureView *>(object());
}

QString HeatmapTable::text(QAccessible::Text kind) const {
    if (kind == QAccessible::Description)
        if (FigureView *shown = view())
            if (const Figure *figure = shown->figure())
                return figure->description();
    return QAccessibleWidget::text(kind);
}

int HeatmapTable::rowCount() const {
    FigureView *shown = view();
    const ShownHeatmap heatmap = shown ? shown->shownHeatmap() : ShownHeatmap();
    return heatmap.content ? static_cast<int>(heatmap.content->matrix().rows) : 0;
}

int HeatmapTable::columnCount() const {
    FigureView *shown = view();
    const ShownHeatmap heatmap = shown ? shown->shownHeatmap() : ShownHeatmap();
    return heatmap.content ? static_cast<int>(heatmap.content->matrix().columns) +
                                 (heatmap.content->beside.empty() ? 0 : 1)
                           : 0;
}

// The cells come first, then the view's child widgets.
int HeatmapTable::childCount() const {
    return cellCount() + QAccessibleWidget::childCount();
}

QAccessibleInterface *HeatmapTable::child(int index) const {
    const int cells = cellCount();
    if (index >= cells)
        return QAccessibleWidget::child(index - cells);
    const int columns = columnCount();
    return index < 0 ? nullptr : cellAt(index / columns, index % columns);
}

int HeatmapTable::indexOfChild(const QAccessibleInterface *child) const {
    if (!child)
        return -1;
    if (const auto *cell = dynamic_cast<const HeatmapCell *>(child))
        return cell->parent() == this && cell->isValid()
                   ? cell->rowIndex() * columnCount() + cell->columnIndex()
                   : -1;
    const int widget = QAccessibleWidget::indexOfChild(child);
    return widget < 0 ? -1 : cellCount() + widget;
}

QAccessibleInterface *HeatmapTable::childAt(int x, int y) const {
    FigureView *shown = view();
    if (!shown)
        return nullptr;
    const ShownHeatmap heatmap = shown->shownHeatmap();
    if (!heatmap.content)
        return QAccessibleWidget::childAt(x, y);
    const QPointF point = shown->mapFromGlobal(QPoint(x, y));
    if (const auto row = heatmap.places.besideRowAt(point))
        return cellAt(static_cast<int>(*row), columnCount() - 1);
    const std::optional<Cell> cell = heatmap.places.cellAt(point);
    return cell ? cellAt(static_cast<int>(cell->row), static_cast<int>(cell->column))
                : QAccessibleWidget::childAt(x, y);
}

QAccessibleInterface *HeatmapTable::focusChild() const {
    const FigureView *shown = view();
    const std::optional<Cell> cell = selectedCell();
    if (shown && shown->hasFocus() && cell)
        return cellAt(static_cast<int>(cell->row), static_cast<int>(cell->column));
    return QAccessibleWidget::focusChild();
}

QAccessibleInterface *HeatmapTable::cellAt(int row, int column) const {
    if (row < 0 || column < 0 || row >= rowCount() || column >= columnCount())
        return nullptr;
    const auto [place, isNew] = m_cells.try_emplace({row, column}, 0);
    if (isNew)
        place->second = QAccessible::registerAccessibleInterface(
            new HeatmapCell(const_cast<HeatmapTable &>(*this), {row, column}));
    return QAccessible::accessibleInterface(place->second);
}

QString HeatmapTable::rowDescription(int row) const {
    FigureView *shown = view();
    const ShownHeatmap heatmap = shown ? shown->shownHeatmap() : ShownHeatmap();
    return heatmap.content ? heatmap.content->rowLabels.value(row, QString::number(row))
                           : QString();
}

QString HeatmapTable::columnDescription(int column) const {
    FigureView *shown = view();
    const ShownHeatmap heatmap = shown ? shown->shownHeatmap() : ShownHeatmap();
    if (!heatmap.content)
        return {};
    if (isBeside(column))
        return heatmap.content->besideLabel;
    if (heatmap.stage == core::Stage::SinkWeights)
        return sinkName();
    if (heatmap.content->columnsAreTokens)
        return heatmap.content->columnLabels.value(column, QString::number(column));
    return FigureView::tr("dimension %1").arg(column);
}

bool HeatmapTable::isBeside(core::Index column) const {
    FigureView *shown = view();
    const ShownHeatmap heatmap = shown ? shown->shownHeatmap() : ShownHeatmap();
    return heatmap.content && !heatmap.content->beside.empty() &&
           column == heatmap.content->matrix().columns;
}

std::optional<Cell> HeatmapTable::selectedCell() const {
    FigureView *shown = view();
    const ShownHeatmap heatmap = shown ? shown->shownHeatmap() : ShownHeatmap();
    if (!heatmap.content || !heatmap.content->selectedRow || !heatmap.content->selectedColumn)
        return std::nullopt;
    const Cell cell{*heatmap.content->selectedRow, *heatmap.content->selectedColumn};
    if (cell.row >= rowCount() || cell.column >= columnCount())
        return std::nullopt;
    return cell;
}

QList<QAccessibleInterface *> HeatmapTable::selectedCells() const {
    const std::optional<Cell> cell = selectedCell();
    if (!cell)
        return {};
    return {cellAt(static_cast<int>(cell->row), static_cast<int>(cell->column))};
}

QRect HeatmapTable::rectOf(Cell cell) const {
    FigureView *shown = view();
    const HeatmapGeometry places = shown->shownHeatmap().places;
    const QRectF place =
        shown->onScreen(isBeside(cell.column) ? places.besideRect(cell.row)
                                              : places.cellRect(cell.row, cell.column));
    return {shown->mapToGlobal(place.topLeft().toPoint()), place.size().toSize()};
}

void HeatmapTable::modelChange(QAccessibleTableModelChangeEvent *) {
    forgetCells();
}

} // namespace headlight::ui
