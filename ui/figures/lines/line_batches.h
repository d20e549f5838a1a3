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

/// Paints the batches in order, the last on top. Many lines on a raster device are painted in
/// parallel bands, and only within `sight`, which must have this background. An invalid
/// `background` means that it is unknown.
void paintLineBatches(QPainter &painter, const std::vector<LineBatch> &batches, const QRectF &sight,
                      const QColor &background);

} // namespace headlight::ui
