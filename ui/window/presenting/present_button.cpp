#include "ui/window/presenting/present_button.h"

#include <QPainter>
#include <QStyleOptionToolButton>
#include <QStylePainter>

namespace headlight::ui {

QSize PresentButton::sizeHint() const {
    const int side = qRound(1.6 * fontMetrics().height());
    return {side, side};
}

void PresentButton::paintEvent(QPaintEvent *) {
    QStylePainter painter(this);
    QStyleOptionToolButton option;
    initStyleOption(&option);
    option.text.clear();
    painter.drawComplexControl(QStyle::CC_ToolButton, option);
    const double side = 0.36 * std::min(width(), height());
    const QRectF screen(QRectF(rect()).center() - QPointF(1.3 * side, side) / 2 * 1.3,
                        QSizeF(1.3 * side, side) * 1.3);
    const double corner = side / 2;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(palette().color(QPalette::ButtonText), std::max(1.2, side / 6)));
    for (const double x : {screen.left(), screen.right()})
        for (const double y : {screen.top(), screen.bottom()}) {
            const double inX = x == screen.left() ? corner : -corner;
            const double inY = y == screen.top() ? corner : -corner;
            const QPointF corners[] = {{x + inX, y}, {x, y}, {x, y + inY}};
            painter.drawPolyline(corners, 3);
        }
}

} // namespace headlight::ui
