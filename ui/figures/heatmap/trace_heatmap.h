// From a place in a trace to the heatmap that shows it: labels, mask, colours, words. Every
// figure's matrices come from here.
#pragma once

#include "core/selection/selected.h"
#include "ui/figures/heatmap/heatmap_figure.h"
#include "ui/words/stage_titles.h"
#include "ui/words/token_names.h"

namespace headlight::ui {

class HeatmapCache;

/// The stage of the selection as a heatmap's content; its tensor is null where the model has no
/// such stage. `kept`: of the figures before; null: nothing is kept.
HeatmapContent contentOf(const core::TracePointer &trace, const core::Selection &selection,
                         const FigureStyle &style, const FigureOptions &options,
                         HeatmapCache *kept = nullptr);

/// The tensor behind a stage; from the second layer on, what enters it stands for the embeddings.
/// One vector a sequence ([B, C]) comes as one matrix of all of them: [1, B, C].
core::Tensor tensorOf(const core::Trace &trace, core::Stage stage, core::AttentionId attention);
/// Its shape, whether it is there or not.
core::Shape shapeOf(const core::Trace &trace, core::Stage stage, core::AttentionId attention);

/// Which of a tensor's matrices the selection means: of keys and values the head's group, of what
/// is the same for all sequences the first.
struct MatrixIndex {
    core::Index sequence = 0;
    core::Index head = 0;
};
MatrixIndex matrixPlace(const core::Trace &trace, const core::Tensor &tensor,
                        const core::Selection &selection);
/// The numbers that the selection's stage has for it; empty where there is no such stage.
core::SharedMatrix matrixOf(const core::Trace &trace, const core::Selection &selection);
/// Their size, without making them.
core::MatrixSize sizeOf(const core::Trace &trace, const core::Selection &selection);

/// The role by whose colours the stage's numbers are painted. Weights that are no shares of 1 may
/// have a sign, as scores have.
core::Role colourRoleOf(const core::Trace &trace, core::Stage stage);

/// The stage by which it is named: from the second layer on there are no embeddings any more, only
/// the layer's input.
core::Stage namedStage(core::Stage stage, core::Index layer);

/// What a head does instead of its attention, in a word: "silenced", "mean", "uniform"; empty: On.
QString stateWords(core::HeadState state);
/// "8 × 16".
QString shapeText(core::Index rows, core::Index columns);

} // namespace headlight::ui
