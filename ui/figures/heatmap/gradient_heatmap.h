// The gradient of a stage, shown in place of its values.
#pragma once

#include "core/explain/gradients/backward_pass.h"
#include "ui/figures/heatmap/heatmap_figure.h"

namespace headlight::ui {

/// Returns the stage's heatmap with gradients as values.
HeatmapContent gradientContentOf(HeatmapContent content, const core::BackwardPass &backwardPass,
                                 const core::Selection &selection, const FigureStyle &style,
                                 const FigureOptions &options);

/// Returns the backward pass of the options if it belongs to this trace. Otherwise returns null.
const core::BackwardPass *backwardOn(const core::TracePointer &trace, const FigureOptions &options);

/// Returns "∂loss/∂Q", "∂loss/∂(S + M)".
QString gradientSymbol(const QString &symbol);
/// Returns the short form "∂Q".
QString briefGradientSymbol(const QString &symbol);

} // namespace headlight::ui
