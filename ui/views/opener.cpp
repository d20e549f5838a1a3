#include "ui/views/opener.h"

#include <algorithm>

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
    constexpr double kReach = 7, kPen = 1.6, kRim = 3; // from the centre to a tip, before scaling
    const double usual = style.scaled(2 * kReach + kPen);
    // The arrows shrink in short rows.
    const double scale = std::min(1.0, (std::min(rect.width(), rect.height()) - 2 * kRim) / usual);
    painter.translate(rect.center());
    painter.scale(scale, scale);
    const double reach = style.scaled(kReach), head = style.scaled(4.5);
    painter.setPen(QPen(style.accent, style.scaled(kPen), Qt::SolidLine, Qt::RoundCap));
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
