// A row of logits as bars, with the probabilities below in the same columns.
#pragma once

#include "ui/figures/base/style.h"
#include "ui/figures/softmax/softmax_content.h"

#include <QPainter>
#include <QRectF>

namespace headlight::ui {

struct SoftmaxBarsGeometry {
    struct Column {
        QRectF all; ///< from the top of the logits to the bottom of the probabilities
        QRectF logit, probability; ///< bars
    };
    QRectF area;
    QRectF logitsTitle, probabilitiesTitle;
    QRectF logits, probabilities; ///< plot areas
    /// Lines of text below the plots, as wide as the plots. Null if the numbers do not fit.
    QRectF logitNumbers, probabilityNumbers;
    QRectF names;
    bool areNamesTurned = false; ///< the names are rotated by 90° and read upwards
    QRectF others;               ///< total of the bars left out; null if there are none
    double low = 0, high = 1;    ///< ends of the logit axis
    double mostProbable = 1;     ///< top of the probability axis
    double logitStep = 1, probabilityStep = 1;
    std::vector<double> logitTicks, probabilityTicks;
    std::vector<Column> columns;

    double yOf(double logit) const;
    double logitAt(double y) const;
    /// Returns the bar whose column contains the point.
    std::optional<std::size_t> columnAt(QPointF point) const;
    /// Returns the bar whose logit a drag from this point changes. Unset outside the logit plot.
    std::optional<std::size_t> logitColumnAt(QPointF point) const;
};

SoftmaxBarsGeometry softmaxBarsGeometry(const SoftmaxContent &content, const FigureStyle &style,
                                        const QRectF &area);

/// Returns the smallest size at which adjacent bars can be distinguished.
QSizeF minSoftmaxBars(const SoftmaxContent &content, const FigureStyle &style);

void paintSoftmaxBars(QPainter &painter, const SoftmaxBarsGeometry &places,
                      const SoftmaxContent &content, const FigureStyle &style);

} // namespace headlight::ui
