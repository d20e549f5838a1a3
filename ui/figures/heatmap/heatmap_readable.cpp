// Checks which parts of a heatmap remain visible if text is enlarged.
#include "ui/figures/heatmap/heatmap_geometry.h"

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr QSizeF kCellOfNumber{24, 12}; // px; every number in its short form fits into such a cell

} // namespace

bool showsNumbersOf(const QSizeF &usual, const QSizeF &enlarged) {
    const QSizeF needed = usual.boundedTo(kCellOfNumber);
    return enlarged.width() >= needed.width() - 0.01 && enlarged.height() >= needed.height() - 0.01;
}

bool showsAllOf(const HeatmapGeometry &usual, const HeatmapRequest &usualRequest,
                const HeatmapGeometry &enlarged, const HeatmapRequest &request) {
    const auto keeps = [](double before, double wantedBefore, double now, double wanted) {
        // Text that was already cut must not be cut more.
        const double had = wantedBefore > 0 ? std::min(1.0, before / wantedBefore) : 0;
        return now >= had * wanted - 0.01;
    };
    const auto wordsIn = [](const HeatmapGeometry &one) {
        return std::max({one.title.width(), one.subtitle.width(), one.colourBar.width()});
    };
    for (std::size_t i = 0; i < request.wordsWidths.size(); ++i)
        if (!keeps(wordsIn(usual), usualRequest.wordsWidths[i], wordsIn(enlarged),
                   request.wordsWidths[i]))
            return false;
    return keeps(usual.rowLabelWidth, usualRequest.rowLabelWidth, enlarged.rowLabelWidth,
                 request.rowLabelWidth) &&
           keeps(usual.columnLabelWidth, usualRequest.columnLabelWidth, enlarged.columnLabelWidth,
                 request.columnLabelWidth) &&
           showsNumbersOf(usual.cell, enlarged.cell) &&
           enlarged.rowLabelStep <= usual.rowLabelStep &&
           enlarged.columnLabelStep <= usual.columnLabelStep;
}

} // namespace headlight::ui
