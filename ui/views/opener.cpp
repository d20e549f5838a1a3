#include "ui/views/opener.h"

namespace headlight::ui {

namespace {

constexpr double kOpenerWidth = 34; // px, before scaling
constexpr double kOpenerGap = 6;

} // namespace

double openerSpace(const FigureStyle &style) {
    return style.scaled(kOpenerWidth) + kOpenerGap;
}

QRectF openerBeside(const QRectF &line, const FigureStyle &style) {
    return {line.right() + kOpenerGap, line.top(), style.scaled(kOpenerWidth), line.height()};
}

void paintOpener(QPainter &painter, const QRectF &rect, bool isOpen, const FigureStyle &style) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(style.border, 1));
    painter.setBrush(style.surface);
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    const double reach = style.scaled(7), head = style.scaled(4.5);
    painter.translate(rect.center());
    painter.setPen(QPen(style.accent, style.scaled(1.6), Qt::SolidLine, Qt::RoundCap));
    for (const double way : {1.0, -1.0}) {
        const QPointF from = QPointF(way, -way) * style.scaled(1.5);
        const QPointF to = QPointF(way, -way) * reach;
        const QPointF tip = isOpen ? from : to;
        const double back = isOpen ? head : -head;
        painter.drawLine(from, to);
        painter.drawLine(tip, tip + QPointF(way * back, 0));
        painter.drawLine(tip, tip + QPointF(0, -way * back));
    }
    painter.restore();
}

} // namespace headlight::ui
