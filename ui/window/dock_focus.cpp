#include "ui/window/dock_focus.h"

#include <QDockWidget>

namespace headlight::ui {

bool isInDockBehind(const QWidget &widget) {
    const QWidget *each = &widget;
    while (each && !qobject_cast<const QDockWidget *>(each))
        each = each->parentWidget();
    return each && each->isVisible() && each->visibleRegion().isEmpty();
}

} // namespace headlight::ui
