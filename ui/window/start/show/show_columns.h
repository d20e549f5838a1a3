// A row of scores and their softmax: a column above each word, its weight above the column, and its
// score below the word.
#pragma once

#include "ui/figures/base/style.h"

#include <QPainter>
#include <QStringList>

#include <vector>

namespace headlight::ui {

struct ShowColumns {
    QStringList words;
    std::vector<float> scores, weights;
    int ringed = 0; ///< index of the word whose row is shown
    int marked = 0; ///< index of the word that the sentence is about
    /// Animation of the columns, 0 … 1. The weights are shown when it has finished.
    double grown = 1;

    struct Place {
        QRectF share, column, word, score;
    };
    /// Returns the rectangles of each word's parts in the area, with columns of full height.
    std::vector<Place> places(const FigureStyle &style, const QRectF &area) const;
    void paint(QPainter &painter, const FigureStyle &style, const QRectF &area) const;
};

} // namespace headlight::ui
