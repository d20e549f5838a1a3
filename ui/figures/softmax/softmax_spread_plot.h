// How far drawn dot products spread, divided by √d_k and not, as two histograms over one axis, and
// a table of what that does to softmax.
#pragma once

#include "ui/figures/base/style.h"
#include "ui/figures/softmax/softmax_content.h"

#include <QPainter>
#include <QRectF>

namespace headlight::ui {

struct SoftmaxSpreadGeometry {
    QRectF area;
    QRectF key; ///< which histogram is which, over the plot
    QRectF plot;
    QRectF axisNumbers, axisName;
    double reach = 1; ///< the axis goes from −reach to reach
    double step = 1;
    std::vector<double> ticks;
    QRectF table;
    struct Row {
        QRectF name, plain, scaled;
    };
    std::vector<Row> rows; ///< the first one is the heading

    double xOf(double score) const;
    double scoreAt(double x) const;
};

SoftmaxSpreadGeometry softmaxSpreadGeometry(const SoftmaxContent &content, const FigureStyle &style,
                                            const QRectF &area);

/// In so much width.
QSizeF leastSoftmaxSpread(const SoftmaxContent &content, const FigureStyle &style, double width);

void paintSoftmaxSpread(QPainter &painter, const SoftmaxSpreadGeometry &places,
                        const SoftmaxContent &content, const FigureStyle &style);

/// "7.21 % of the dot products are between 10 and 12"; empty: the point is not in the plot.
QString spreadWords(const SoftmaxSpreadGeometry &places, const SoftmaxContent &content,
                    QPointF point);

} // namespace headlight::ui
