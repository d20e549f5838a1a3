// The other sentences of a batch, drawn as sheets behind the card of a close-up's result. The
// visible edges of a sheet have the colours of the last column and row of the sheet's matrix.
#pragma once

#include "core/selection/selection.h"
#include "ui/figures/base/figure_options.h"
#include "ui/figures/close_up/close_up_geometry.h"
#include "ui/figures/heatmap/heatmap_figure.h"

#include <vector>

namespace headlight::ui {

struct CloseUpSheet {
    core::Index sequence = 0;
    QString name;           ///< "Sentence 2 of 4: river bank"
    HeatmapContent content; ///< without a matrix until it is computed
};

inline constexpr core::Index kMaxSheets = 3;

/// Returns the sentences after the selected one, and then those before it, at most kMaxSheets in
/// total. Empty if the stage has one matrix for all sentences, or if there is only one sentence.
std::vector<CloseUpSheet> sheetsOf(const core::TracePointer &trace, const core::Selection &current,
                                   const FigureStyle &style, const FigureOptions &options,
                                   HeatmapCache *kept);

/// Returns the best layout with `count` sheets behind the card. Leaves the sheets out if the result
/// or an operand would lose its numbers.
CloseUpGeometry geometryWithSheets(const CloseUpRequest &request, std::size_t count);

void paintSheets(QPainter &painter, const CloseUpGeometry &geometry,
                 const std::vector<CloseUpSheet> &sheets, const FigureStyle &style, Device device);

} // namespace headlight::ui
