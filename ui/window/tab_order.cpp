#include "ui/window/tab_order.h"

#include <QAction>
#include <QHash>
#include <QToolBar>
#include <QToolButton>
#include <QWidget>

namespace headlight::ui {

namespace {

/// Returns the focusable widgets in `widget`, itself included, in the order of the focus chain.
QList<QWidget *> controlsOf(QWidget *widget) {
    QList<QWidget *> controls;
    QWidget *each = widget;
    do {
        if ((each == widget || widget->isAncestorOf(each)) && (each->focusPolicy() & Qt::TabFocus))
            controls << each;
        each = each->nextInFocusChain();
    } while (each != widget);
    return controls;
}

QList<QWidget *> controlsOfBar(const QToolBar *bar) {
    QList<QWidget *> controls;
    for (QAction *action : bar->actions()) {
        QWidget *widget = bar->widgetForAction(action);
        // Qt excludes the buttons that it creates for actions from the focus chain.
        if (auto *button = qobject_cast<QToolButton *>(widget))
            button->setFocusPolicy(Qt::TabFocus);
        if (widget)
            controls += controlsOf(widget);
    }
    return controls;
}

} // namespace

void orderTabs(const QList<QWidget *> &regions) {
    QHash<QWidget *, QWidget *> last; // key: window, because a floating dock is a separate window
    for (QWidget *region : regions) {
        const auto *bar = qobject_cast<const QToolBar *>(region);
        for (QWidget *control : bar ? controlsOfBar(bar) : controlsOf(region)) {
            QWidget *&before = last[control->window()];
            if (before)
                QWidget::setTabOrder(before, control);
            before = control;
        }
    }
}

} // namespace headlight::ui
