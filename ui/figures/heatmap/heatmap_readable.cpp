// What enlarged text must leave of a heatmap.
#include "ui/figures/heatmap/heatmap_geometry.h"

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr QSizeF kCellOfNumber{24, 12}; // px: in such a cell every number has room in short form

} // namespace

bool showsNumbersOf(const QSizeF &usual, const QSizeF &enlarged) {
    const QSizeF needed = usual.boundedTo(kCellOfNumber);
    return enlarged.width() >= std::floor(needed.width()) &&
           enlarged.height() >= std::floor(needed.height());
}

bool showsAllOf(const HeatmapGeometry &usual, const HeatmapRequest &usualRequest,
                const HeatmapGeometry &enlarged, const HeatmapRequest &request) {
    const auto keeps = [](double before, double wantedBefore, double now, double wanted) {
        return before < std::floor(wantedBefore) || now >= std::floor(wanted);
    };
    const auto wordsOf = [](const HeatmapGeometry &one) {
        return std::max({one.title.width(), one.subtitle.width(), one.colourBar.width()});
    };
    return keeps(wordsOf(usual), usualRequest.wordsWidth, wordsOf(enlarged), request.wordsWidth) &&
           keeps(usual.rowLabelWidth, usualRequest.rowLabelWidth, enlarged.rowLabelWidth,
                 request.rowLabelWidth) &&
           keeps(usual.columnLabelWidth, usualRequest.columnLabelWidth, enlarged.columnLabelWidth,
                 request.columnLabelWidth) &&
           showsNumbersOf(usual.cell, enlarged.cell) &&
           enlarged.rowLabelStep <= usual.rowLabelStep &&
           enlarged.columnLabelStep <= usual.columnLabelStep;
}

} // namespace headlight::ui
