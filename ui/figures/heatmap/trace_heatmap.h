// Builds the heatmap of a selected stage: labels, mask, colours and text. All figures get their
// matrices from these functions.
#pragma once

#include "core/selection/selected.h"
#include "ui/figures/heatmap/heatmap_figure.h"
#include "ui/text/stage_titles.h"
#include "ui/text/token_names.h"

namespace headlight::ui {

class HeatmapCache;

/// Returns the heatmap content of the selection's stage. The tensor is null if the model lacks the
/// stage. `kept` is the cache of earlier figures; null disables caching.
HeatmapContent contentOf(const core::TracePointer &trace, const core::Selection &selection,
                         const FigureStyle &style, const FigureOptions &options,
                         HeatmapCache *kept = nullptr);

/// Adds the weights of the head's sink, as a column beside the attention weights. Does nothing in a
/// comparison, if the head has no sink, or if the trace lacks the weights.
void addSinkColumn(HeatmapContent &content, const core::TracePointer &trace,
                   const core::Selection &selection, const FigureOptions &options);

/// Returns the tensor of a stage. In all layers but the first, the layer input replaces the
/// embeddings. If a stage has one vector per sequence ([B, C]), all vectors form one matrix: [1, B,
/// C].
core::Tensor tensorOf(const core::Trace &trace, core::Stage stage, core::AttentionId attention);
/// Returns the tensor's shape, even if the tensor is not available.
core::Shape shapeOf(const core::Trace &trace, core::Stage stage, core::AttentionId attention);

/// Indices of the selection's matrix in a tensor. For keys and values, `head` is the head's group.
/// For data shared by all sequences, `sequence` is 0.
struct MatrixIndex {
    core::Index sequence = 0;
    core::Index head = 0;
};
MatrixIndex matrixPlace(const core::Trace &trace, const core::Tensor &tensor,
                        const core::Selection &selection);
/// Returns the matrix of the selection's stage. Empty if there is none.
core::SharedMatrix matrixOf(const core::Trace &trace, const core::Selection &selection);
/// Returns the matrix size without computing the matrix.
core::MatrixSize sizeOf(const core::Trace &trace, const core::Selection &selection);

/// Returns the role that determines the stage's colours. Attention weights without softmax may be
/// signed, like scores.
core::Role colourRoleOf(const core::Trace &trace, core::Stage stage);

/// Returns the stage that the title names. In all layers but the first, this is Positioned instead
/// of the embeddings.
core::Stage namedStage(core::Stage stage, core::Index layer);

/// Returns the head's intervention as a word: "silenced", "mean" or "uniform". Empty for On.
QString stateText(core::HeadState state);
/// Returns "8 × 16".
QString shapeText(core::Index rows, core::Index columns);

} // namespace headlight::ui
