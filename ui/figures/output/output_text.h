// The text as its tokens, one after the other over several lines, and which of them the output is
// about.
#pragma once

#include "ui/figures/base/style.h"
#include "ui/figures/output/output_content.h"

#include <QPainter>
#include <QRectF>

namespace headlight::ui {

struct OutputTextGeometry {
    struct Place {
        core::Index chip = 0; ///< as many as there are tokens: the next one
        QRectF rect;
    };
    QRectF area;
    std::vector<Place> places; ///< of the lines in sight
    bool startsLater = false;  ///< lines above are left out
    bool endsEarlier = false;  ///< lines beneath are left out

    std::optional<core::Index> chipAt(QPointF point) const;
};

/// Lines in the area's width, at most `mostLines` of them: those around what is asked. The area's
/// height is theirs.
OutputTextGeometry outputTextGeometry(const OutputContent &content, const FigureStyle &style,
                                      QPointF topLeft, double width, int mostLines);

/// How high so many lines are.
double outputTextHeight(const FigureStyle &style, int lines);

void paintOutputText(QPainter &painter, const OutputTextGeometry &places,
                     const OutputContent &content, const FigureStyle &style);

} // namespace headlight::ui
