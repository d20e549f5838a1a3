// Large picture of one score. The query row is to its left, the key column is above it, and the
// arithmetic is in the corner between them.
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
        std::vector<QRectF> row, column; ///< one cell per number
        QRectF score;
        QRectF rowPurpose, rowName, columnPurpose, columnName;
        QRectF strip; ///< rectangle of the arithmetic
    };
    Place place(const FigureStyle &style, const QRectF &area) const;
    void paint(QPainter &painter, const FigureStyle &style, const QRectF &area) const;
};

} // namespace headlight::ui
