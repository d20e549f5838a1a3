// Painting of thousands of lines, on two threads where that is possible.
#pragma once

#include <QLineF>
#include <QList>
#include <QPainter>

#include <vector>

namespace headlight::ui {

struct LineBatch {
    QPen pen;
    QList<QLineF> lines;
};

/// Paints the batches over each other, the last on top. Many lines on a raster device are painted
/// in bands at the same time, and only within `sight`, which must have this background. An invalid
/// background is unknown.
void paintLineBatches(QPainter &painter, const std::vector<LineBatch> &batches, const QRectF &sight,
                      const QColor &background);

} // namespace headlight::ui
