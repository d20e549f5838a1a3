// A heatmap exposed to screen readers as a table. Rows are tokens, columns are tokens or
// dimensions. A cell's text has its labels and the exact value.
#pragma once

#include "ui/document/change_event.h"
#include "ui/figures/heatmap/heatmap_geometry.h"

#include <QAccessibleWidget>

#include <map>

namespace headlight::ui {

class FigureView;

/// Installs the factory that creates these tables for figure views. May be called repeatedly.
void installHeatmapTables();

/// The table update that a document change causes: a new table, or another current cell.
struct TableUpdate {
    QAccessible::Event event = QAccessible::TableModelChanged; ///< otherwise Focus or Selection
    int child = -1;                                            ///< cell, for Focus and Selection
};
/// Returns nothing if the change does not affect the table.
std::optional<TableUpdate> tableNews(FigureView &view, const ChangeEvent &event);

/// Notifies screen readers that the view's table may have other rows and columns.
void announceNewTable(FigureView &view);

/// Notifies screen readers of the change.
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
    // The selection is always a single cell, so rows and columns cannot be selected.
    bool selectRow(int) override { return false; }
    bool selectColumn(int) override { return false; }
    bool unselectRow(int) override { return false; }
    bool unselectColumn(int) override { return false; }
    void modelChange(QAccessibleTableModelChangeEvent *event) override;

    /// Returns the view, or null while it is being destroyed.
    FigureView *view() const;
    std::optional<Cell> selectedCell() const;
    /// True for the column after the matrix, which has the weights of a head's sink if the figure
    /// shows them. Its cells cannot be selected, only their rows.
    bool isBeside(core::Index column) const;
    /// Returns the cell's rectangle in screen coordinates.
    QRect rectOf(Cell cell) const;

  private:
    int cellCount() const { return rowCount() * columnCount(); }

    // Cells are created on request and kept until the table changes its shape.
    mutable std::map<std::pair<int, int>, QAccessible::Id> m_cells;
    void forgetCells();
};

} // namespace headlight::ui
