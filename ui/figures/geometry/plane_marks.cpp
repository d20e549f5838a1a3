#include "ui/figures/geometry/plane_marks.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight::ui {

std::optional<QLineF> clipped(const QLineF &line, const QRectF &rect) {
    double begin = 0, end = 1;
    const std::array<std::pair<double, double>, 4> borders{{
        {-line.dx(), line.x1() - rect.left()},
        {line.dx(), rect.right() - line.x1()},
        {-line.dy(), line.y1() - rect.top()},
        {line.dy(), rect.bottom() - line.y1()},
    }};
    for (const auto &[towards, available] : borders) {
        if (towards == 0) {
            if (available < 0)
                return std::nullopt;
        } else if (towards < 0) {
            begin = std::max(begin, available / towards);
        } else {
            end = std::min(end, available / towards);
        }
    }
    if (begin > end)
        return std::nullopt;
    return QLineF(line.pointAt(begin), line.pointAt(end));
}

void drawMark(QPainter &painter, PlaneMark mark, QPointF at, double size, const QColor &colour,
              const QColor &background) {
    constexpr double kHalfOutline = 0.75;
    const double r = size / 2;
    painter.setPen(QPen(background, 2 * kHalfOutline));
    painter.setBrush(colour);
    switch (mark) {
    case PlaneMark::Dot:
    case PlaneMark::Ring: {
        // Two discs, because painting a circle's outline is much slower than filling it.
        const bool isRing = mark == PlaneMark::Ring;
        painter.setPen(Qt::NoPen);
        painter.setBrush(isRing ? colour : background);
        painter.drawEllipse(at, r + kHalfOutline, r + kHalfOutline);
        painter.setBrush(isRing ? background : colour);
        painter.drawEllipse(at, r - kHalfOutline, r - kHalfOutline);
        break;
    }
    case PlaneMark::Triangle:
        painter.drawPolygon(QPolygonF{at + QPointF(0, -1.2 * r), at + QPointF(1.1 * r, 0.8 * r),
                                      at + QPointF(-1.1 * r, 0.8 * r)});
        break;
    case PlaneMark::Square:
        painter.drawRect(QRectF(at - QPointF(0.9 * r, 0.9 * r), QSizeF(1.8 * r, 1.8 * r)));
        break;
    case PlaneMark::Diamond:
        painter.drawPolygon(QPolygonF{at + QPointF(0, -1.3 * r), at + QPointF(1.3 * r, 0),
                                      at + QPointF(0, 1.3 * r), at + QPointF(-1.3 * r, 0)});
        break;
    case PlaneMark::None:
        break;
    }
    painter.setBrush(Qt::NoBrush);
}

void drawArrow(QPainter &painter, const QLineF &line, const QRectF &plot, const QPen &pen,
               bool head) {
    const auto inside = clipped(line, plot);
    if (!inside)
        return;
    const double size = 4 + 2.5 * pen.widthF();
    const bool drawsHead = head && plot.contains(line.p2()) && line.length() > 2;
    QLineF shaft = *inside;
    const double length = std::min(size, line.length() * 0.6);
    if (drawsHead && shaft.length() > length) // the shaft ends inside the head, not beyond its tip
        shaft.setLength(shaft.length() - 0.7 * length);
    painter.setPen(pen);
    painter.drawLine(shaft);
    if (!drawsHead)
        return;
    const QPointF along = QPointF(line.dx(), line.dy()) / line.length();
    const QPointF across(-along.y(), along.x());
    painter.setPen(Qt::NoPen);
    painter.setBrush(pen.color());
    painter.drawPolygon(QPolygonF{line.p2(), line.p2() - along * length + across * length * 0.45,
                                  line.p2() - along * length - across * length * 0.45});
    painter.setBrush(Qt::NoBrush);
}

} // namespace headlight::ui
