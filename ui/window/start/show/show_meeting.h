// A score as the meeting of a row and a column, large: the query is at the left of the score, and
// the key is above it. The arithmetic is in the corner between them.
#pragma once

#include "ui/figures/arithmetic/arithmetic_strip.h"
#include "ui/window/start/show/show_vectors.h"

namespace headlight::ui {

struct ShowMeeting {
    ShowVector row, column; ///< vectors of the same length
    double score = 0;
    ArithmeticStrip arithmetic;

    struct Place {
        /// The numbers that fit, by index: all, or those with the largest products.
        std::vector<std::size_t> numbers;
        std::vector<QRectF> row, column; ///< a cell for each of them
        QRectF score;
        QRectF rowPurpose, rowName, columnPurpose, columnName;
        QRectF strip; ///< of the arithmetic
    };
    Place place(const FigureStyle &style, const QRectF &area) const;
    void paint(QPainter &painter, const FigureStyle &style, const QRectF &area) const;
};

} // namespace headlight::ui
