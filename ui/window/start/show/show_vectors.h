// Query, key and value as rows of coloured cells, each with its purpose.
#pragma once

#include "ui/figures/base/style.h"

#include <QPainter>
#include <QString>

#include <vector>

namespace headlight::ui {

struct ShowVector {
    QString purpose; ///< "*it* asks"
    QString name;    ///< "query of it"
    QColor colour;   ///< colour of its role
    std::vector<float> numbers;

    static QFont purposeFont(const FigureStyle &style);
    static QFont nameFont(const FigureStyle &style);
    /// Returns the colour of a number.
    QColor fillOf(std::size_t number, const FigureStyle &style) const;
};

/// Paints the numbers as colours, with a frame in the role's colour around them.
void paintCells(QPainter &painter, const FigureStyle &style, const ShowVector &vector,
                const std::vector<QRectF> &cells);

struct ShowVectors {
    std::vector<ShowVector> vectors;

    struct Place {
        QRectF purpose, name;
        std::vector<QRectF> cells;
    };
    std::vector<Place> places(const FigureStyle &style, const QRectF &area) const;
    void paint(QPainter &painter, const FigureStyle &style, const QRectF &area) const;
};

} // namespace headlight::ui
