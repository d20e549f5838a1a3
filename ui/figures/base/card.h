// Paints the backgrounds of a figure and its parts. Paper has no cards.
#pragma once

#include "ui/figures/base/style.h"

#include <QPainter>

namespace headlight::ui {

/// Fills the area, unless the figure is transparent.
inline void paintBackground(QPainter &painter, const QRectF &area, const QColor &colour,
                            const FigureStyle &style) {
    if (!style.isTransparent)
        painter.fillRect(area, colour);
}

/// Paints a rounded surface. The pen's stroke is centred on the rectangle's edge.
inline void paintCard(QPainter &painter, const QRectF &rect, const QPen &pen, double radius,
                      const FigureStyle &style) {
    if (style.isPaper)
        return;
    painter.setPen(pen);
    painter.setBrush(style.surface);
    painter.drawRoundedRect(rect, radius, radius);
}

} // namespace headlight::ui
