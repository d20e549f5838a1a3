#include "ui/figures/lines/line_batches.h"

#include "core/tensor/in_parallel.h"

#include <QImage>
#include <QPaintEngine>

#include <cmath>

namespace headlight::ui {

namespace {

// A constant, so that the picture does not depend on the number of cores. Qt clips the lines to
// each band. This takes time and changes edges slightly, so more bands would gain little.
constexpr int kBands = 2;
constexpr qsizetype kFewLines = 500; // fewer lines are painted faster than an image is made

void paintDirectly(QPainter &painter, const std::vector<LineBatch> &batches) {
    for (const LineBatch &batch : batches) {
        painter.setPen(batch.pen);
        painter.drawLines(batch.lines);
    }
}

bool areMany(const std::vector<LineBatch> &batches) {
    qsizetype count = 0;
    for (const LineBatch &batch : batches)
        count += batch.lines.size();
    return count >= kFewLines;
}

/// Returns the complete pixels inside the rectangle.
QRect pixelsIn(const QRectF &rect) {
    constexpr double kRounding = 1e-6;
    const QPoint first(static_cast<int>(std::ceil(rect.left() - kRounding)),
                       static_cast<int>(std::ceil(rect.top() - kRounding)));
    const QPoint end(static_cast<int>(std::floor(rect.right() + kRounding)),
                     static_cast<int>(std::floor(rect.bottom() + kRounding)));
    return {first, QSize(end.x() - first.x(), end.y() - first.y())};
}

} // namespace

void paintLineBatches(QPainter &painter, const std::vector<LineBatch> &batches, const QRectF &sight,
                      const QColor &background) {
    painter.setBrush(Qt::NoBrush);
    const QTransform toDevice = painter.deviceTransform();
    const bool isRaster = painter.paintEngine()->type() == QPaintEngine::Raster;
    const QRect pixels = pixelsIn(toDevice.mapRect(sight));
    QImage image;
    if (isRaster && background.isValid() && toDevice.type() <= QTransform::TxScale &&
        !pixels.isEmpty() && areMany(batches))
        image = QImage(pixels.size(), QImage::Format_RGB32);
    if (image.isNull()) // also if there is not enough memory
        return paintDirectly(painter, batches);
    image.fill(background);
    const QPainter::RenderHints hints = painter.renderHints();
    uchar *const bits = image.bits(); // detaches here, not in a worker thread
    const auto stride = image.bytesPerLine();
    core::inParallel(kBands, [&](core::Index band, core::Index) {
        const auto top = static_cast<int>(image.height() * band / kBands);
        const auto end = static_cast<int>(image.height() * (band + 1) / kBands);
        if (top == end)
            return;
        QImage part(bits + top * stride, image.width(), end - top, stride, image.format());
        QPainter inner(&part);
        inner.setRenderHints(hints);
        inner.setTransform(toDevice *
                           QTransform::fromTranslate(-pixels.left(), -pixels.top() - top));
        inner.setBrush(Qt::NoBrush);
        paintDirectly(inner, batches);
    });
    painter.save();
    // Make one unit a pixel of the device.
    painter.setWorldTransform((painter.worldTransform().inverted() * toDevice).inverted());
    painter.drawImage(pixels.topLeft(), image);
    painter.restore();
}

} // namespace headlight::ui
