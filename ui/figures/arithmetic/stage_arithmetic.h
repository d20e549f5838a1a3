// The formula of a stage with the numbers of the selected row or cell. All terms are values of the
// trace.
#pragma once

#include "core/explain/gradients/backward_pass.h"
#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"
#include "ui/figures/base/style.h"
#include "ui/figures/text/text.h"

namespace headlight::ui {

/// Returns one line, such as "0.31·0.40 + 0.12·(−0.20) = 0.1000"; empty if no row of the stage is
/// selected. The model must have `selection.stage` in the selected attention module.
Spans arithmeticOf(const core::Trace &trace, const core::Selection &selection,
                   const FigureStyle &style);

/// Returns the arithmetic of the cell's gradient; empty if no cell is selected.
Spans arithmeticOf(const core::BackwardPass &backwardPass, const core::Selection &selection,
                   const FigureStyle &style);

/// core::termText() and core::resultText() as a QString.
QString termText(float value);
QString resultText(float value);

} // namespace headlight::ui
