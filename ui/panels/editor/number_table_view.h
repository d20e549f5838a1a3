// The table of numbers: dragged left and right to change one, typed into, filled, copied and
// pasted. One drag is one undo step. Enter goes down, as in a spreadsheet; Tab goes to the right
// while a number is typed, and leaves the table else, so that nobody is caught in it.
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
    /// Scrolls there and makes it the current one; the keyboard's focus stays where it is.
    void showCell(int row, int column);
    bool isDragging() const { return m_drag.has_value(); }

    // Of the selected cells; for the menu and the keys.
    void copySelection();
    void pasteAtSelection();
    void setSelectionToZero();
    /// Scores that were set by hand are computed again.
    void computeAgain();
    /// Errors are told by the table.
    bool fillSelection(const QString &text);

  signals:
    /// Something worked: a line for the status bar.
    void said(const QString &words);

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
        DocumentState before; ///< for Escape
        double start = 0;
        double moved = 0; ///< by so much the number is larger
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
