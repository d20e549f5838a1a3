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
};

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
