// From a place in a trace to the heatmap that shows it: labels, mask, colours, words. Every
// figure's matrices come from here.
#pragma once

#include "ui/figures/heatmap_figure.h"

namespace headlight::ui {

/// The stage of the selection as a heatmap's content; its tensor is null where the model has no
/// such stage.
HeatmapContent contentOf(const core::TracePointer &trace, const core::Selection &selection,
                         const FigureStyle &style, const FigureOptions &options);

/// The tensor behind a stage of a layer; from the second layer on, what enters it stands for the
/// embeddings.
core::Tensor tensorOf(const core::Trace &trace, core::Stage stage, core::Index layer);

/// The role by whose colours the stage's numbers are painted. Weights that are no shares of 1 may
/// have a sign, as scores have.
core::Role colourRoleOf(const core::Trace &trace, core::Stage stage);

/// The tokens of a sequence as they are shown.
QStringList tokensOf(const core::Trace &trace, core::Index sequence);

/// The stage by which it is named: from the second layer on there are no embeddings any more, only
/// the layer's input.
core::Stage namedStage(core::Stage stage, core::Index layer);

/// The stage's name for people, translated: "attention weights".
QString titleOf(core::Stage stage);
/// What a head does instead of its attention, in a word: "silenced", "mean", "uniform"; empty: On.
QString stateWords(core::HeadState state);
/// "8 × 16".
QString shapeText(core::Index rows, core::Index columns);

} // namespace headlight::ui
