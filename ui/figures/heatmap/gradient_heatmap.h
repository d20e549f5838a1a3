// The gradient of a stage in the stage's place: the way back.
#pragma once

#include "core/explain/gradients/backward_pass.h"
#include "ui/figures/heatmap/heatmap_figure.h"

namespace headlight::ui {

/// The stage's own heatmap, with the numbers of its gradient instead.
HeatmapContent gradientContentOf(HeatmapContent content, const core::BackwardPass &backwardPass,
                                 const core::Selection &selection, const FigureStyle &style,
                                 const FigureOptions &options);

/// Of the options' way back, if it is that of this trace; else null.
const core::BackwardPass *backwardOn(const core::TracePointer &trace, const FigureOptions &options);

/// "∂loss/∂Q", "∂loss/∂(S + M)".
QString gradientSymbol(const QString &symbol);
/// "∂Q", where there is little room.
QString briefGradientSymbol(const QString &symbol);

} // namespace headlight::ui
