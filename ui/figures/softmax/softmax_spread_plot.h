// Histograms of random dot products, without and with division by √d_k, on a shared axis. A table
// shows the effect on softmax.
#pragma once

#include "ui/figures/base/style.h"
#include "ui/figures/softmax/softmax_content.h"

#include <QPainter>
#include <QRectF>

namespace headlight::ui {

struct SoftmaxSpreadGeometry {
    QRectF area;
    QRectF key; ///< legend above the plot
    QRectF plot;
    QRectF axisNumbers, axisName;
    double reach = 1; ///< the axis ranges from −reach to reach
    double step = 1;
    std::vector<double> ticks;
    QRectF table;
    struct Row {
        QRectF name, plain, scaled;
    };
    std::vector<Row> rows; ///< the first row is the heading

    double xOf(double score) const;
    double scoreAt(double x) const;
};

SoftmaxSpreadGeometry softmaxSpreadGeometry(const SoftmaxContent &content, const FigureStyle &style,
                                            const QRectF &area);

/// Returns the smallest size at this width.
QSizeF minSoftmaxSpread(const SoftmaxContent &content, const FigureStyle &style, double width);

void paintSoftmaxSpread(QPainter &painter, const SoftmaxSpreadGeometry &places,
                        const SoftmaxContent &content, const FigureStyle &style);

/// Returns "near 11: 7.2 % of the q·k, 0.0 % of the q·k ÷ √d". Empty if the point is outside the
/// plot.
QString spreadText(const SoftmaxSpreadGeometry &places, const SoftmaxContent &content,
                   QPointF point);

} // namespace headlight::ui
