// Selects the column labels of a heatmap that fit side by side.
#pragma once

#include "ui/figures/heatmap/heatmap_geometry.h"

#include <functional>
#include <vector>

namespace headlight::ui {

struct ColumnLabel {
    core::Index column = 0;
    QRectF place;
};

/// Returns the label of the selected column, and from left to right the other labels that touch no
/// label already chosen. `widthOf` measures the label of a column before `end`.
std::vector<ColumnLabel> untouchedLabels(const HeatmapGeometry &geometry,
                                         const std::function<double(core::Index)> &widthOf,
                                         core::Index end, std::optional<core::Index> selected);

} // namespace headlight::ui
