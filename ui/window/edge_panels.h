// Panels over the right edge of the views: inspector, editor, history. Only one is open at a time.
// The window lays the views out next to it.
#pragma once

#include <QList>
#include <QPointer>
#include <QWidget>

#include <optional>

class QDockWidget;
class QTabWidget;

namespace headlight::ui {

class EdgePanels : public QWidget {
    Q_OBJECT
  public:
    /// Places the panels over the pages of `tabs`.
    explicit EdgePanels(QTabWidget &tabs);

    /// Adds a closed dock. The dock's show() and hide() open and close it as a panel.
    void add(QDockWidget &dock);
    /// True if a panel is open.
    bool isOpen() const { return openDock() != nullptr; }
    /// Closes the open panel. The focus returns to where it was before.
    void close();
    /// Opens the panel that was open when the window was closed, with its width.
    void restore();
    void save() const;

  signals:
    /// A panel was opened or closed, or its width changed.
    void placed();

  protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

  private:
    QDockWidget *openDock() const;
    void opened(QDockWidget &dock);
    void place();
    int pageTop() const;

    QTabWidget &m_tabs;
    QList<QDockWidget *> m_docks;
    int m_width = 0;            ///< px at a text scale of 1; 0: the panel's preferred width
    std::optional<int> m_drag;  ///< distance of the mouse from the left edge during a drag
    QPointer<QWidget> m_before; ///< widget that had the focus before the panel was opened
};

} // namespace headlight::ui
