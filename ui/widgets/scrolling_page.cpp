#include "ui/widgets/scrolling_page.h"

#include <QScrollArea>

namespace headlight::ui {

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
