// What can be chosen about the view in sight, in the corner beside the tabs: which side of a
// comparison, the order of the heads, range and colours, and how far it is zoomed.
#pragma once

#include "ui/figures/base/figure_options.h"

#include <QList>
#include <QWidget>

class QAction;
class QMenu;
class QTabWidget;
class QToolButton;

namespace headlight::ui {

class CompareBar;
class FigureView;

class ViewBar : public QWidget {
    Q_OBJECT
  public:
    /// Every page of `tabs` is a FigureView.
    explicit ViewBar(QTabWidget &tabs);

    /// In, out, fit: of the view in sight; the window puts them into its menu.
    QList<QAction *> zoomActions() const { return m_zoomActions; }

    /// It becomes short where there is no room; it never keeps the window wide.
    QSize minimumSizeHint() const override { return {64, QWidget::minimumSizeHint().height()}; }

  protected:
    bool eventFilter(QObject *object, QEvent *event) override;

  private:
    FigureView *view() const;
    void show(FigureView *view);
    /// Short texts where the tabs would have no room beside long ones.
    void showTexts();
    void makeZoom();
    void fillOrder();
    void fillLook();
    void fillContextual();

    QTabWidget &m_tabs;
    FigureView *m_shown = nullptr;
    CompareBar *m_compare = nullptr; // of the document that all views show
    QToolButton *m_contextual;
    QToolButton *m_order;
    QToolButton *m_look;
    QToolButton *m_zoom;
    QList<QAction *> m_zoomActions;
};

/// "fixed 0 … 1", "each row", for menus.
QString titleOf(Range range);

} // namespace headlight::ui
