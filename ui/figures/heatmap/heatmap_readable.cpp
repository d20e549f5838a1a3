// What enlarged text must leave of a heatmap.
#include "ui/figures/heatmap/heatmap_geometry.h"

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr QSizeF kCellOfNumber{24, 12}; // px: in such a cell every number has room in short form

} // namespace

HeatmapRequest atUsualText(HeatmapRequest request, double textScale) {
    for (double *length : {&request.lineHeight, &request.titleHeight, &request.subtitleHeight,
                           &request.rowLabelWidth, &request.columnLabelWidth, &request.maximumCell,
                           &request.linesWidth, &request.wordsWidth})
        *length /= textScale;
    return request;
}

bool showsNumbersOf(const QSizeF &usual, const QSizeF &enlarged) {
    const QSizeF needed = usual.boundedTo(kCellOfNumber);
    return enlarged.width() >= std::floor(needed.width()) &&
           enlarged.height() >= std::floor(needed.height());
}

bool showsAllOf(const HeatmapGeometry &usual, const HeatmapGeometry &enlarged,
                const HeatmapRequest &request, double textScale) {
    const auto keeps = [textScale](double before, double now, double wanted) {
        return now >= std::min(std::floor(textScale * before), std::floor(wanted));
    };
    const auto wordsOf = [](const HeatmapGeometry &one) {
        return std::max({one.title.width(), one.subtitle.width(), one.colourBar.width()});
    };
    return keeps(wordsOf(usual), wordsOf(enlarged), request.wordsWidth) &&
           showsNumbersOf(usual.cell, enlarged.cell) &&
           enlarged.rowLabelStep <= usual.rowLabelStep &&
           enlarged.columnLabelStep <= usual.columnLabelStep &&
           keeps(usual.rowLabelWidth, enlarged.rowLabelWidth, request.rowLabelWidth) &&
           keeps(usual.columnLabelWidth, enlarged.columnLabelWidth, request.columnLabelWidth);
}

} // namespace headlight::ui
