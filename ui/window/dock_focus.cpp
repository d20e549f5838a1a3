#include "ui/window/dock_focus.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QPointer>
#include <QTimer>

namespace headlight::ui {

bool isInDockBehind(const QWidget &widget) {
    const QWidget *each = &widget;
    while (each && !qobject_cast<const QDockWidget *>(each))
        each = each->parentWidget();
    return each && each->isVisible() && each->visibleRegion().isEmpty();
}

void leaveTabsOutside(QMainWindow &window, QWidget &next) {
    QTimer::singleShot(0, &window, [&window, next = QPointer<QWidget>(&next)] {
        const QWidget *focus = window.focusWidget();
        if (next && focus && focus->parentWidget() == &window &&
            !focus->geometry().intersects(window.rect()))
            next->setFocus();
    });
}

} // namespace headlight::ui
