// View of the number table. The user can edit, fill, copy and paste cells, and change a number by
// dragging sideways. One drag is one undo step. Enter moves down, as in a spreadsheet. Tab moves
// right while the user edits a number. Otherwise it leaves the table, so that the table does not
// trap the focus.
#pragma once

#include "core/formats/parse_table.h"
#include "ui/document/state/change.h"
#include "ui/figures/base/style.h"

#include <QPersistentModelIndex>
#include <QTableView>

namespace headlight::ui {

class NumberTable;

class NumberTableView : public QTableView {
    Q_OBJECT
  public:
    explicit NumberTableView(NumberTable &table, QWidget *parent = nullptr);

    void setStyle(const FigureStyle &style);
    /// Scrolls to the cell and makes it current, without taking the keyboard focus.
    void showCell(int row, int column);
    bool isDragging() const { return m_drag.has_value(); }

    // Actions on the selected cells, for the menu and the keys.
    void copySelection();
    void pasteAtSelection();
    void setSelectionToZero();
    /// Removes score overrides, so that the scores are computed again.
    void computeAgain();
    /// Returns false after the table has reported an error.
    bool fillSelection(const QString &text);

  signals:
    /// Reports success as a line for the status bar.
    void statusMessage(const QString &words);

  protected:
    bool event(QEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

  private:
    void fitToTable();
    std::optional<core::Commas> askForCommas(const QString &text,
                                             const std::vector<core::TableReading> &readings);
    struct Drag {
        QPersistentModelIndex index;
        DocumentState before; ///< state that Esc restores
        double start = 0;
        double moved = 0; ///< total change of the number
        double lastX = 0;
        double step = 0;
        int gesture = 0;
    };
    void startDrag(const QPointF &point);
    void dragTo(double x, Qt::KeyboardModifiers modifiers);
    void cancelDrag();

    NumberTable &m_table;
    FigureStyle m_style = FigureStyle::light();
    std::optional<QPointF> m_pressed;
    std::optional<Drag> m_drag;
};

} // namespace headlight::ui
