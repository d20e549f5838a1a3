// Options of the visible view, in the corner beside the tabs. They include the comparison side, the
// combination and order of heads, the zoom, and the colours of views without a colour bar.
#pragma once

#include "ui/figures/base/figure_options.h"

#include <QList>
#include <QWidget>

class QAction;
class QMenu;
class QTabWidget;
class QToolButton;

namespace headlight::ui {

/// A property of the tabs: the width in px that the bar should leave to the tab names and the menu
/// after them. Not set: no preference.
inline constexpr char kPreferredWidth[] = "preferredWidth";

class CompareBar;
class FigureView;
class MechanismActions;

class ViewBar : public QWidget {
    Q_OBJECT
  public:
    /// Every page of `tabs` must be a FigureView.
    /// Without `mechanism` there is no choice of heads.
    explicit ViewBar(QTabWidget &tabs, MechanismActions *mechanism = nullptr);

    /// Zoom in, out, fit, for the visible view. The window adds these actions to its menu.
    QList<QAction *> zoomActions() const { return m_zoomActions; }

    /// The bar shortens its texts if space is scarce, so it never limits the window's width.
    QSize minimumSizeHint() const override { return {64, QWidget::minimumSizeHint().height()}; }

  protected:
    bool eventFilter(QObject *object, QEvent *event) override;

  private:
    FigureView *view() const;
    void show(FigureView *view);
    /// Uses short texts if the tabs do not fit beside long ones.
    void showTexts();
    void makeZoom();
    void showHead();
    void fillHead(QMenu &menu);
    void fillCombination(QMenu &menu);
    void fillOrder(QMenu &menu);
    void fillLook(QMenu &menu);
    void fillContextual(QMenu &menu);

    QTabWidget &m_tabs;
    FigureView *m_shown = nullptr;
    CompareBar *m_compare = nullptr; // one bar, because all views share the document
    MechanismActions *m_mechanism;
    QToolButton *m_head; // hidden in views that have this button beside the matrix
    QToolButton *m_contextual;
    QToolButton *m_combination; // only in Heads
    QToolButton *m_order;
    QToolButton *m_look;
    QToolButton *m_zoom;
    QList<QAction *> m_zoomActions;
};

} // namespace headlight::ui
