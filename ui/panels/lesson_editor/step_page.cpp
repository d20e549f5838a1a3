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

QScrollArea *scrollingPage(QWidget *page) {
    auto *area = new QScrollArea;
    area->setWidget(page);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    return area;
}

} // namespace headlight::ui
