// The labels of a heatmap's columns that fit side by side.
#pragma once

#include "ui/figures/heatmap/heatmap_geometry.h"

#include <functional>
#include <vector>

namespace headlight::ui {

struct ColumnLabel {
    core::Index column = 0;
    QRectF place;
};

/// Returns the label of the selected column, and from left to right those of the others that do not
/// touch another one. `widthOf` measures the label of a column before `end`.
std::vector<ColumnLabel> untouchedLabels(const HeatmapGeometry &geometry,
                                         const std::function<double(core::Index)> &widthOf,
                                         core::Index end, std::optional<core::Index> selected);

} // namespace headlight::ui
