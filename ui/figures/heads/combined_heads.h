// Several heads, or all layers, combined into the large matrix of the Heads view, with its title
// and remarks.
#pragma once

#include "ui/figures/heatmap/heatmap_figure.h"

namespace headlight::ui {

/// A combination that was computed for the figure, or why there is none.
struct GivenCombination {
    std::shared_ptr<const core::CombinedAttention> made;
    QString absence;
};

/// The comparison of the heads of both sides, computed by the caller. Null until it is finished.
using GivenHeadChanges = std::shared_ptr<const std::vector<core::ComparedHead>>;

/// True if the options set a combination and it applies to the stage. Only attention weights are
/// combined.
bool combines(const FigureOptions &options, const core::Selection &shown);

/// Returns why the shown side of a comparison has no combination.
UnavailableReason combinationUnavailableReason(ComparisonSide shown);

/// Returns a title such as "mean of heads 1, 4", "maximum of all 12 heads" or "attention rollout".
/// Empty without a combination. `count` is the number of heads in the layer.
QString titleOf(const core::CombinationRequest &request, core::Index count);

/// Returns the heatmap of a combination that was computed for `place`. Its rows and columns may be
/// words.
HeatmapContent combinedContentOf(const core::TracePointer &trace, const core::Selection &place,
                                 const core::CombinedAttention &made, const FigureStyle &style,
                                 const FigureOptions &options, HeatmapCache *kept);

/// Describes a cell: "mean of heads 1, 4: bank attends to money: 0.4123".
QString combinedCellText(const HeatmapContent &content, const core::CombinedAttention &made,
                         core::Combination combination, Cell cell);

} // namespace headlight::ui
