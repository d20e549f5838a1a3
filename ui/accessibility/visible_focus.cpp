#include "ui/accessibility/visible_focus.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QEvent>
#include <QKeyEvent>
#include <QPointer>
#include <QScrollArea>

#include <utility>

namespace headlight::ui {

namespace {

bool isVisible(const QWidget &focus) {
    return !focus.visibleRegion().isEmpty();
}

/// Scrolls to the widget unless it is partly visible, because it may be under the pointer.
void scrollTo(QWidget &focus) {
    if (isVisible(focus))
        return;
    for (QWidget *widget = focus.parentWidget(); widget; widget = widget->parentWidget())
        if (auto *area = qobject_cast<QScrollArea *>(widget))
            area->ensureWidgetVisible(&focus);
        else if (auto *view = qobject_cast<QAbstractItemView *>(widget);
                 view && view->viewport()->isAncestorOf(&focus)) // a cell's editor has the focus
            view->scrollTo(view->currentIndex());
}

/// True if scrolling moves the widget.
bool isScrolled(const QWidget &widget) {
    const QWidget *parent = widget.parentWidget();
    const auto *area =
        parent ? qobject_cast<const QAbstractScrollArea *>(parent->parentWidget()) : nullptr;
    return area && area->viewport() == parent;
}

bool isModifier(int key) {
    return key == Qt::Key_Shift || key == Qt::Key_Control || key == Qt::Key_Alt ||
           key == Qt::Key_Meta;
}

/// Watches the widget with the focus and its ancestors. A layout takes several steps, so the focus
/// is checked only after the last one.
class VisibleFocus : public QObject {
  public:
    explicit VisibleFocus(QApplication *application) : QObject(application) {
        connect(application, &QApplication::focusChanged, this,
                [this](QWidget *, QWidget *now) { watch(now); });
        watch(QApplication::focusWidget());
    }

  protected:
    bool eventFilter(QObject *watched, QEvent *event) override {
        auto *widget = static_cast<QWidget *>(watched); // the filter is installed on widgets only
        switch (event->type()) {
        case QEvent::Move:
            later(!isScrolled(*widget));
            break;
        case QEvent::Resize:
            later(true);
            break;
        case QEvent::KeyPress:
            if (widget == m_focus && !isModifier(static_cast<QKeyEvent *>(event)->key()))
                scrollTo(*widget);
            break;
        default:
            break;
        }
        return false;
    }

  private:
    void watch(QWidget *focus) {
        for (const QPointer<QWidget> &widget : m_watched)
            if (widget)
                widget->removeEventFilter(this);
        m_watched.clear();
        m_focus = focus;
        for (QWidget *widget = focus; widget; widget = widget->parentWidget()) {
            widget->installEventFilter(this);
            m_watched << widget;
        }
        if (focus)
            scrollTo(*focus);
        m_wasVisible = true; // even if a layout is pending, so that check() scrolls to the focus
    }

    void later(bool isLayout) {
        m_layoutChanged = m_layoutChanged || isLayout;
        if (std::exchange(m_isWaiting, true))
            return;
        QMetaObject::invokeMethod(
            this, [this] { check(); }, Qt::QueuedConnection);
    }

    /// Leaves the focus hidden if the user has scrolled it away. The next key press shows it.
    void check() {
        m_isWaiting = false;
        const bool layoutChanged = std::exchange(m_layoutChanged, false);
        if (!m_focus)
            return;
        if (layoutChanged && m_wasVisible)
            scrollTo(*m_focus);
        m_wasVisible = isVisible(*m_focus);
    }

    QPointer<QWidget> m_focus;
    QList<QPointer<QWidget>> m_watched; ///< the focus and its ancestors
    bool m_wasVisible = false;
    bool m_layoutChanged = false;
    bool m_isWaiting = false;
};

} // namespace

void keepFocusVisible() {
    static const QPointer<VisibleFocus> once = new VisibleFocus(qApp);
    Q_UNUSED(once);
}

} // namespace headlight::ui
