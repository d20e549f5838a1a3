// A heatmap cell for screen readers.
#pragma once

#include "ui/figures/heatmap/heatmap_geometry.h"

#include <QAccessible>

namespace headlight::ui {

class HeatmapTable;

/// Owned by its table, which deletes it.
class HeatmapCell : public QAccessibleInterface,
                    public QAccessibleTableCellInterface,
                    public QAccessibleActionInterface {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::HeatmapCell)

  public:
    HeatmapCell(HeatmapTable &table, Cell cell) : m_table(table), m_cell(cell) {}

    Cell cell() const { return m_cell; }

    bool isValid() const override;
    QObject *object() const override { return nullptr; }
    QAccessibleInterface *childAt(int, int) const override { return nullptr; }
    QAccessibleInterface *parent() const override;
    QAccessibleInterface *child(int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface *) const override { return -1; }
    QString text(QAccessible::Text kind) const override;
    void setText(QAccessible::Text, const QString &) override {}
    QRect rect() const override;
    QAccessible::Role role() const override { return QAccessible::Cell; }
    QAccessible::State state() const override;
    void *interface_cast(QAccessible::InterfaceType type) override;

    int columnExtent() const override { return 1; }
    int rowExtent() const override { return 1; }
    QList<QAccessibleInterface *> columnHeaderCells() const override { return {}; }
    QList<QAccessibleInterface *> rowHeaderCells() const override { return {}; }
    int columnIndex() const override { return static_cast<int>(m_cell.column); }
    int rowIndex() const override { return static_cast<int>(m_cell.row); }
    bool isSelected() const override;
    QAccessibleInterface *table() const override;

    QStringList actionNames() const override { return {setFocusAction(), pressAction()}; }
    void doAction(const QString &name) override;
    QStringList keyBindingsForAction(const QString &) const override { return {}; }

  private:
    HeatmapTable &m_table;
    Cell m_cell;
};

} // namespace headlight::ui
