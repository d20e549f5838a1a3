// A heatmap as a table to a screen reader: rows are tokens, columns are tokens or dimensions, a
// cell is its words with the exact value.
#pragma once

#include "ui/document/change_event.h"
#include "ui/figures/heatmap/heatmap_geometry.h"

#include <QAccessibleWidget>

#include <map>

namespace headlight::ui {

class FigureView;

/// Installs the factory that makes these tables for figure views; any number of times.
void installHeatmapTables();

/// What a change of the document means for the view's table: another table, or another cell.
struct TableUpdate {
    QAccessible::Event event = QAccessible::TableModelChanged; ///< or Focus, or Selection
    int child = -1;                                            ///< the cell, for the latter two
};
/// None where it means nothing.
std::optional<TableUpdate> tableNews(FigureView &view, const ChangeEvent &event);

/// Tells it to the screen readers.
void announceChange(FigureView &view, const ChangeEvent &event);

class HeatmapTable : public QAccessibleWidget, public QAccessibleTableInterface {
  public:
    explicit HeatmapTable(FigureView *view);
    ~HeatmapTable() override;

    void *interface_cast(QAccessible::InterfaceType type) override;
    QString text(QAccessible::Text kind) const override;
    int childCount() const override;
    QAccessibleInterface *child(int index) const override;
    int indexOfChild(const QAccessibleInterface *child) const override;
    QAccessibleInterface *childAt(int x, int y) const override;
    QAccessibleInterface *focusChild() const override;

    QAccessibleInterface *caption() const override { return nullptr; }
    QAccessibleInterface *summary() const override { return nullptr; }
    QAccessibleInterface *cellAt(int row, int column) const override;
    int rowCount() const override;
    int columnCount() const override;
    QString rowDescription(int row) const override;
    QString columnDescription(int column) const override;
    int selectedCellCount() const override { return selectedCell() ? 1 : 0; }
    QList<QAccessibleInterface *> selectedCells() const override;
    int selectedRowCount() const override { return 0; }
    int selectedColumnCount() const override { return 0; }
    QList<int> selectedRows() const override { return {}; }
    QList<int> selectedColumns() const override { return {}; }
    bool isRowSelected(int) const override { return false; }
    bool isColumnSelected(int) const override { return false; }
    // There is one selection, and it is a cell: rows and columns cannot be added to it.
    bool selectRow(int) override { return false; }
    bool selectColumn(int) override { return false; }
    bool unselectRow(int) override { return false; }
    bool unselectColumn(int) override { return false; }
    void modelChange(QAccessibleTableModelChangeEvent *event) override;

    /// The view, or null when it is being destroyed.
    FigureView *view() const;
    std::optional<Cell> selectedCell() const;
    /// Where the cell is on the screen.
    QRect rectOf(Cell cell) const;

  private:
    int cellCount() const { return rowCount() * columnCount(); }

    // Cells are made when they are asked for, and stay until the table changes its shape.
    mutable std::map<std::pair<int, int>, QAccessible::Id> m_cells;
    void forgetCells();
};

} // namespace headlight::ui
