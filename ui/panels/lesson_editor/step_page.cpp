#include "ui/panels/lesson_editor/step_page.h"

#include "ui/widgets/wrapped_button.h"

namespace headlight::ui {

QPushButton *pageButton(const char *objectName, const QString &text, const QString &toolTip) {
    auto *button = new WrappedButton(text);
    button->setObjectName(objectName);
    button->setAccessibleName(text);
    button->setToolTip(toolTip);
    return button;
}

} // namespace headlight::ui
