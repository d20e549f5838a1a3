// The heatmap that a view shows large, which screen readers read as a table.
#pragma once

#include "ui/figures/heatmap/heatmap_figure.h"

namespace headlight::ui {

struct ShownHeatmap {
    const HeatmapContent *content = nullptr; ///< null: the view shows none; owned by the figure
    HeatmapGeometry places;                  ///< in widget coordinates
    core::Stage stage = core::Stage::AttentionWeights;
};

} // namespace headlight::ui
