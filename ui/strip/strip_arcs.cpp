#include "ui/strip/strip_arcs.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kThinnest = 0.75; // px
constexpr double kThickest = 6;    // px, for weight 1
constexpr double kPalest = 0.25;   // smallest colour share; larger if the contrast needs it

} // namespace

double arcWidth(double weight) {
    return kThinnest + (kThickest - kThinnest) * std::min(1.0, weight);
}

StripArcs::StripArcs(QWidget *parent) : QWidget(parent), m_style(FigureStyle::light()) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
}

void StripArcs::setArcs(std::vector<StripArc> arcs, std::vector<QRectF> areas) {
    m_all = std::move(arcs);
    m_areas = std::move(areas);
    std::ranges::stable_sort(m_all, {}, &StripArc::weight); // strongest last
    setVisible(!m_all.empty());
    update();
}

void StripArcs::setStyle(const FigureStyle &style) {
    m_style = style;
    update();
}

void StripArcs::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing, true);
    QPainterPath sight;
    sight.setFillRule(Qt::WindingFill); // the areas overlap
    for (const QRectF &area : m_areas)
        sight.addRect(area);
    painter.setClipPath(sight);
    painter.setBrush(Qt::NoBrush);
    for (const StripArc &arc : m_all) {
        const double share = kPalest + (1 - kPalest) * std::sqrt(std::min(1.0, arc.weight));
        QPen pen(faint(m_style.context, m_style.background, share),
                 m_style.scaled(arcWidth(arc.weight)));
        pen.setCapStyle(Qt::FlatCap);
        painter.setPen(pen);
        QPainterPath path(arc.from);
        if (arc.rise > 0) {
            const double rise = arc.rise * 4 / 3; // a cubic reaches 3/4 of its control points
            path.cubicTo(arc.from - QPointF(0, rise), arc.to - QPointF(0, rise), arc.to);
        } else {
            const double middle = (arc.from.y() + arc.to.y()) / 2;
            path.cubicTo({arc.from.x(), middle}, {arc.to.x(), middle}, arc.to);
        }
        painter.drawPath(path);
    }
}

} // namespace headlight::ui
