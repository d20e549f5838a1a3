// A row of scores and the shares that softmax makes of it: a column above each word, its share
// above the column, and its score below the word.
#pragma once

#include "ui/figures/base/style.h"

#include <QPainter>
#include <QStringList>

#include <vector>

namespace headlight::ui {

struct ShowColumns {
    QStringList words;
    std::vector<float> scores, weights;
    int ringed = 0; ///< the word whose row it is
    int marked = 0; ///< the word that the sentence speaks of
    /// How far the columns have grown, 0 … 1. The shares are written when they are whole.
    double grown = 1;

    struct Place {
        QRectF share, column, word, score;
    };
    /// Returns the places of each word's parts in the area; the columns are whole.
    std::vector<Place> places(const FigureStyle &style, const QRectF &area) const;
    void paint(QPainter &painter, const FigureStyle &style, const QRectF &area) const;
};

} // namespace headlight::ui
