// The selected row's or cell's numbers put into the formula of its stage: all terms, all of them
// the trace's own.
#pragma once

#include "core/explain/gradients/backward_pass.h"
#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"
#include "ui/figures/base/style.h"
#include "ui/figures/text/text.h"

namespace headlight::ui {

/// One line, such as "0.31·0.40 + 0.12·(−0.20) = 0.1000"; empty where no row of the stage is
/// selected. `selection.stage` is one that the model has at its site.
Spans arithmeticOf(const core::Trace &trace, const core::Selection &selection,
                   const FigureStyle &style);

/// The same of the cell's gradient, on the way back; empty where no cell is selected.
Spans arithmeticOf(const core::BackwardPass &backwardPass, const core::Selection &selection,
                   const FigureStyle &style);

/// As core::termText() and core::resultText().
QString termText(float value);
QString resultText(float value);

} // namespace headlight::ui
