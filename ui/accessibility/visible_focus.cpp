#include "ui/accessibility/visible_focus.h"

#include <QApplication>
#include <QScrollArea>

namespace headlight::ui {

namespace {

/// Leaves a widget that is partly visible where it is: it may be under the pointer.
void scrollTo(QWidget *focus) {
    if (!focus || !focus->visibleRegion().isEmpty())
        return;
    for (QWidget *widget = focus->parentWidget(); widget; widget = widget->parentWidget())
        if (auto *area = qobject_cast<QScrollArea *>(widget))
            area->ensureWidgetVisible(focus);
}

} // namespace

void keepFocusVisible() {
    static const QMetaObject::Connection once = QObject::connect(
        qApp, &QApplication::focusChanged, qApp, [](QWidget *, QWidget *now) { scrollTo(now); });
    Q_UNUSED(once);
}

} // namespace headlight::ui
