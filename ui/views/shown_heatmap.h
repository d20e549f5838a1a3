// The heatmap that a view shows large: what a screen reader reads as a table.
#pragma once

#include "ui/figures/heatmap/heatmap_figure.h"

namespace headlight::ui {

struct ShownHeatmap {
    const HeatmapContent *content =
        nullptr;            ///< null: the view shows none; lives as the figure does
    HeatmapGeometry places; ///< in the widget's coordinates
    core::Stage stage = core::Stage::AttentionWeights;
};

} // namespace headlight::ui
