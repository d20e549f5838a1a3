// The shapes of a plane: marks, arrows, and lines cut where the plot ends, because vector devices
// do not clip.
#pragma once

#include "ui/figures/geometry/plane_figure.h"

#include <QLineF>

namespace headlight::ui {

/// The part of the line within the rectangle (Liang and Barsky 1984); none where it is outside.
std::optional<QLineF> clipped(const QLineF &line, const QRectF &rect);

/// Filled with the colour, or a ring of it on `background`. The plot must contain `at`.
void drawMark(QPainter &painter, PlaneMark mark, QPointF at, double size, const QColor &colour,
              const QColor &background);

/// With a head at its end where that lies within the plot.
void drawArrow(QPainter &painter, const QLineF &line, const QRectF &plot, const QPen &pen,
               bool head);

} // namespace headlight::ui
