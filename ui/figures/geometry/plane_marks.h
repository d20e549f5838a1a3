// Shapes in a plane: marks, arrows and lines. They are clipped to the plot in code, because vector
// devices do not clip.
#pragma once

#include "ui/figures/geometry/plane_figure.h"

#include <QLineF>

namespace headlight::ui {

/// Clips the line to the rectangle (Liang and Barsky 1984). Returns nothing if the line is outside.
std::optional<QLineF> clipped(const QLineF &line, const QRectF &rect);

/// Draws a filled mark, or a ring filled with `background`. The plot must contain `at`.
void drawMark(QPainter &painter, PlaneMark mark, QPointF at, double size, const QColor &colour,
              const QColor &background);

/// Draws a clipped arrow, with a head only if its end is inside the plot.
void drawArrow(QPainter &painter, const QLineF &line, const QRectF &plot, const QPen &pen,
               bool head);

} // namespace headlight::ui
