// A row of logits as bars, and under them the probabilities in the same columns.
#pragma once

#include "ui/figures/base/style.h"
#include "ui/figures/softmax/softmax_content.h"

#include <QPainter>
#include <QRectF>

namespace headlight::ui {

struct SoftmaxBarsGeometry {
    struct Column {
        QRectF all;                ///< from the logits' top to the probabilities' bottom
        QRectF logit, probability; ///< the bars
    };
    QRectF area;
    QRectF logitsTitle, probabilitiesTitle;
    QRectF logits, probabilities; ///< where the bars stand
    /// Lines of text under them, as wide as they are. Null: there is no room for numbers.
    QRectF logitNumbers, probabilityNumbers;
    QRectF names;
    bool areNamesTurned = false; ///< they rise from the bottom
    QRectF others;               ///< what the bars that are not shown have; null: none
    double low = 0, high = 1;    ///< of the logits
    double mostProbable = 1;     ///< at the top of the probabilities
    double logitStep = 1, probabilityStep = 1;
    std::vector<double> logitTicks, probabilityTicks;
    std::vector<Column> columns;

    double yOf(double logit) const;
    double logitAt(double y) const;
    /// The bar whose column is there.
    std::optional<std::size_t> columnAt(QPointF point) const;
    /// The same where a drag begins: beside its logit.
    std::optional<std::size_t> logitColumnAt(QPointF point) const;
};

SoftmaxBarsGeometry softmaxBarsGeometry(const SoftmaxContent &content, const FigureStyle &style,
                                        const QRectF &area);

/// The least at which every bar can be told from its neighbours.
QSizeF leastSoftmaxBars(const SoftmaxContent &content, const FigureStyle &style);

void paintSoftmaxBars(QPainter &painter, const SoftmaxBarsGeometry &places,
                      const SoftmaxContent &content, const FigureStyle &style);

} // namespace headlight::ui
