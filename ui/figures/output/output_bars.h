// Words and their probabilities as bars from the left, with an axis: of the present run, and thin
// beneath it of the other one.
#pragma once

#include "ui/figures/base/style.h"
#include "ui/figures/output/output_content.h"

#include <QPainter>
#include <QRectF>

namespace headlight::ui {

struct OutputBarsGeometry {
    struct Row {
        QRectF rect;                       ///< all of it
        QRectF rank, name;                 ///< at its left
        QRectF bar, otherBar;              ///< as long as the probabilities
        QRectF probability, change, logit; ///< numbers at its right; without room they are null
    };
    QRectF area;
    QRectF plot;               ///< where the bars stand
    double highest = 0;        ///< at the plot's right, a probability
    std::vector<double> ticks; ///< probabilities
    double tickStep = 0;
    std::vector<Row> rows;     ///< of the first bars
    std::optional<Row> stands; ///< of the token that stands there, where no row has it
    QRectF rest;               ///< the line for all other words; null: there are none

    /// Which bar is there: one of the rows, or as many as there are for `stands`.
    std::optional<std::size_t> rowAt(QPointF point) const;
};

OutputBarsGeometry outputBarsGeometry(const OutputContent &content, const FigureStyle &style,
                                      const QRectF &area);

/// How high so many bars are, with axis and the lines beneath them.
double outputBarsHeight(const OutputContent &content, const FigureStyle &style, std::size_t bars);

/// `selected`: a word of the vocabulary.
void paintOutputBars(QPainter &painter, const OutputBarsGeometry &places,
                     const OutputContent &content, const FigureStyle &style,
                     std::optional<core::Index> selected);

} // namespace headlight::ui
