// Paints thousands of lines, on two threads if possible.
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

/// Paints the batches in order, the last on top. Many lines on a raster device are painted in
/// parallel bands, and only within `sight`, which must have this background. If the background is
/// unknown, pass an invalid colour.
void paintLineBatches(QPainter &painter, const std::vector<LineBatch> &batches, const QRectF &sight,
                      const QColor &background);

} // namespace headlight::ui
