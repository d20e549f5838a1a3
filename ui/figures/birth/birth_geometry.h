// Layout of a head being born: the heads above, the answers below them, the loss at the bottom.
#pragma once

#include "ui/figures/birth/birth_content.h"
#include "ui/figures/training/curve_plot.h"

namespace headlight::ui {

struct BirthChip {
    QRectF rect;
    QPointF token, given; ///< left corners of the two texts
    double tokenWidth = 0, givenWidth = 0;
};

struct BirthHeadPlace {
    QRectF card;
    HeatmapGeometry large;
    struct Earlier {
        std::size_t index = 0;   ///< index in BirthHead::earlier
        HeatmapGeometry picture; ///< only the cells are placed
        QRectF caption;
    };
    std::vector<Earlier> earlier; ///< the first picture and as many of the last ones as fit
};

struct BirthMarkPlace {
    double x = 0;
    QRectF label;
};

struct BirthGeometry {
    QRectF area;
    std::vector<BirthHeadPlace> heads;
    QRectF answersTitle;
    std::vector<BirthChip> chips; ///< only the last answers if not all fit
    std::size_t firstChip = 0;
    CurvePlotGeometry curve;
    std::vector<BirthMarkPlace> marks;
};

/// Lays the content out in the area, to the right of the `leftRoom` px taken by controls.
BirthGeometry birthGeometry(const BirthContent &content, const FigureStyle &style,
                            const QRectF &area, double leftRoom = 0);

/// Places the labels of the marks inside the plot, beside their lines, each in its own row.
std::vector<BirthMarkPlace> markPlaces(const std::vector<BirthMark> &marks,
                                       const CurvePlotGeometry &curve, const FigureStyle &style);

/// Places the chips of the answers in this row. If not all fit, only the last ones are placed.
std::vector<BirthChip> chipPlaces(const std::vector<BirthAnswer> &answers, const QRectF &row,
                                  const FigureStyle &style, std::size_t &first);

/// Returns a geometry with only cells. They are square, as large as possible, and at the top left.
HeatmapGeometry plainCells(const HeatmapContent &content, const QRectF &area);

QFont answerFont(const FigureStyle &style, bool bold = false);

} // namespace headlight::ui
