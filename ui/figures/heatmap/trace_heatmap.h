// Builds the heatmap of a selected stage: labels, mask, colours, text. All figures get their
// matrices here.
#pragma once

#include "core/selection/selected.h"
#include "ui/figures/heatmap/heatmap_figure.h"
#include "ui/text/stage_titles.h"
#include "ui/text/token_names.h"

namespace headlight::ui {

class HeatmapCache;

/// Returns the heatmap content of the selection's stage. The tensor is null if the model lacks the
/// stage. `kept` is the cache of earlier figures; null disables it.
HeatmapContent contentOf(const core::TracePointer &trace, const core::Selection &selection,
                         const FigureStyle &style, const FigureOptions &options,
                         HeatmapCache *kept = nullptr);

/// Adds the weights of the head's sink, as a column beside its attention weights. Does nothing if
/// the head has no sink, if the trace does not hold them, or in a comparison.
void addSinkColumn(HeatmapContent &content, const core::TracePointer &trace,
                   const core::Selection &selection, const FigureOptions &options);

/// Returns the tensor of a stage. In all layers but the first, the layer input replaces the
/// embeddings. A stage with one vector per sequence ([B, C]) becomes one matrix of all of them: [1,
/// B, C].
core::Tensor tensorOf(const core::Trace &trace, core::Stage stage, core::AttentionId attention);
/// Returns the tensor's shape, even if the tensor is not available.
core::Shape shapeOf(const core::Trace &trace, core::Stage stage, core::AttentionId attention);

/// Indices of the selection's matrix in a tensor: for keys and values the head's group, for data
/// shared by all sequences the first.
struct MatrixIndex {
    core::Index sequence = 0;
    core::Index head = 0;
};
MatrixIndex matrixPlace(const core::Trace &trace, const core::Tensor &tensor,
                        const core::Selection &selection);
/// Returns the matrix of the selection's stage; empty if there is none.
core::SharedMatrix matrixOf(const core::Trace &trace, const core::Selection &selection);
/// Returns the matrix size without computing the matrix.
core::MatrixSize sizeOf(const core::Trace &trace, const core::Selection &selection);

/// Returns the role whose colours the stage has. Attention weights that do not sum to 1 may be
/// signed, like scores.
core::Role colourRoleOf(const core::Trace &trace, core::Stage stage);

/// Returns the stage that the title names: in all layers but the first, the layer input instead of
/// the embeddings.
core::Stage namedStage(core::Stage stage, core::Index layer);

/// Returns a word for the head's intervention: "silenced", "mean", "uniform"; empty for On.
QString stateText(core::HeadState state);
/// Returns "8 × 16".
QString shapeText(core::Index rows, core::Index columns);

} // namespace headlight::ui
