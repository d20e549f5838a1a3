// Words and their probabilities as horizontal bars with an axis. The other run of a comparison has
// thin bars below those of the shown run.
#pragma once

#include "ui/figures/base/style.h"
#include "ui/figures/output/output_content.h"

#include <QPainter>
#include <QRectF>

namespace headlight::ui {

struct OutputBarsGeometry {
    struct Row {
        QRectF rect;                       ///< whole row
        QRectF rank, name;                 ///< to the left of the bars
        QRectF bar, otherBar;              ///< lengths show the probabilities
        QRectF probability, change, logit; ///< to the right of the bars; null if they do not fit
    };
    QRectF area;
    QRectF plot;               ///< area of the bars
    double highest = 0;        ///< probability at the right end of the plot
    std::vector<double> ticks; ///< probabilities
    double tickStep = 0;
    std::vector<Row> rows;     ///< rows of the first bars
    std::optional<Row> stands; ///< row of the actual token, if no other row shows it
    QRectF rest;               ///< line for all other words; null if there are none

    /// Returns the index of the row at the point. The index `rows.size()` means `stands`.
    std::optional<std::size_t> rowAt(QPointF point) const;
};

OutputBarsGeometry outputBarsGeometry(const OutputContent &content, const FigureStyle &style,
                                      const QRectF &area);

/// Returns the height of `bars` bars, with the axis and the lines below.
double outputBarsHeight(const OutputContent &content, const FigureStyle &style, std::size_t bars);

/// Draws a predicted word right-aligned. The tokens that complete it are in `muted`.
void drawPredictedWord(QPainter &painter, const QRectF &place, const QString &name,
                       const QString &rest, const QFont &font, const QColor &colour,
                       const QColor &muted);

/// `selected` is a word of the vocabulary.
void paintOutputBars(QPainter &painter, const OutputBarsGeometry &places,
                     const OutputContent &content, const FigureStyle &style,
                     std::optional<core::Index> selected);

} // namespace headlight::ui
