// The text as tokens over several lines, with a mark at the predicted position.
#pragma once

#include "ui/figures/base/style.h"
#include "ui/figures/output/output_content.h"

#include <QPainter>
#include <QRectF>

namespace headlight::ui {

struct OutputTextGeometry {
    struct Place {
        core::Index chip = 0; ///< index of the token, or the number of tokens for the next one
        QRectF rect;
    };
    QRectF area;
    std::vector<Place> places; ///< chips of the visible lines
    bool startsLater = false;  ///< earlier lines are left out
    bool endsEarlier = false;  ///< later lines are left out

    std::optional<core::Index> chipAt(QPointF point) const;
};

/// Lays out at most `maxLines` lines around the predicted position. `area` of the result has the
/// height of these lines.
OutputTextGeometry outputTextGeometry(const OutputContent &content, const FigureStyle &style,
                                      QPointF topLeft, double width, int maxLines);

/// Returns the height of `lines` lines.
double outputTextHeight(const FigureStyle &style, int lines);

void paintOutputText(QPainter &painter, const OutputTextGeometry &places,
                     const OutputContent &content, const FigureStyle &style);

} // namespace headlight::ui
