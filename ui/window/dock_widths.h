// How wide the docks are, at which width of the window.
#pragma once

#include <QList>
#include <QMainWindow>
#include <QMap>

class QDockWidget;

namespace headlight::ui {

/// Qt takes the room that a smaller window lacks from the docks, and gives what a larger one has to
/// the picture alone. With this the docks are as wide as they were when the window was about as
/// wide; what a person drags counts for windows of about that width. Where the picture would be too
/// narrow they shrink together.
class DockWidths : public QObject {
    Q_OBJECT
  public:
    explicit DockWidths(QMainWindow &window);

    /// Once the window's own state is restored.
    void restore();
    void save() const;

  protected:
    bool eventFilter(QObject *object, QEvent *event) override;

  private:
    /// Docks beneath each other, or behind each other's tabs, have one width.
    struct Column {
        QList<QDockWidget *> docks; // the first is in sight
        int width = 0;
    };
    using Widths = QMap<QString, int>; // by the docks' names
    struct Kept {
        int window = 0;
        Widths docks;
    };
    QList<Column> columns() const;
    /// 0: nobody knows.
    int wanted(const Column &column) const;
    void apply();
    /// Of the columns that nobody knows, or of all of them.
    void keep(bool all);

    QMainWindow &m_window;
    QList<Kept> m_kept;   // the last that was dragged at the end
    QList<int> m_pressed; // the columns' widths before a drag
};

} // namespace headlight::ui
