// Widths of the docks, depending on the width of the window.
#pragma once

#include <QList>
#include <QMainWindow>
#include <QMap>

class QDockWidget;

namespace headlight::ui {

/// Qt's default shrinks the docks when the window shrinks and gives all new space to the picture
/// when it grows. This class restores the widths that the docks had at about the same window width.
/// A width that the user drags is saved for windows of about that width. If the picture would
/// become too narrow, the docks shrink together.
class DockWidths : public QObject {
    Q_OBJECT
  public:
    explicit DockWidths(QMainWindow &window);

    /// Reads the saved widths. Call it after restoring the window's state.
    void restore();
    void save() const;

  protected:
    bool eventFilter(QObject *object, QEvent *event) override;

  private:
    /// Docks that are stacked or tabbed together, which share a width.
    struct Column {
        QList<QDockWidget *> docks; // the first one is visible
        int width = 0;
    };
    using Widths = QMap<QString, int>; // key: the dock's object name
    struct Kept {
        int window = 0;
        Widths docks;
    };
    QList<Column> columns() const;
    /// Returns the saved width for the column; 0: unknown.
    int wanted(const Column &column) const;
    void apply();
    /// Saves the widths of all columns, or only of those without a saved width.
    void keep(bool all);

    QMainWindow &m_window;
    QList<Kept> m_kept;   // most recently saved last
    QList<int> m_pressed; // column widths before a drag
};

} // namespace headlight::ui
