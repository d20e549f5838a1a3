// Tests whether part of a large, scrolled picture needs painting.
#pragma once

#include <QPaintEngine>
#include <QPainter>

namespace headlight::ui {

/// False if the whole rectangle is outside a raster device. Always true on other devices, because
/// files contain everything.
inline bool mayBeVisible(const QPainter &painter, const QRectF &rect) {
    if (painter.paintEngine()->type() != QPaintEngine::Raster)
        return true;
    return painter.worldTransform().mapRect(rect).intersects(QRectF(painter.viewport()));
}

} // namespace headlight::ui
