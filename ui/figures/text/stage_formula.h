// The formula of each stage, its symbols in the colours of what they stand for.
#pragma once

#include "core/explain/gradients/backward_pass.h"
#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"
#include "ui/figures/base/style.h"
#include "ui/figures/text/text.h"

namespace headlight::ui {

/// One line, as the selection's head of this model computes it: S = QKᵀ / √16, or S = QKᵀ where
/// nothing is divided; Z = 0 where the head is silenced.
Spans formulaSpans(const core::Trace &trace, const core::Selection &place,
                   const FigureStyle &style);

/// The same of the stage's gradient, on the way back.
Spans formulaSpans(const core::BackwardPass &backwardPass, const core::Selection &place,
                   const FigureStyle &style);

/// The symbol of a stage, as formulas and titles write it.
QString symbolText(const core::Trace &trace, core::Stage stage);

} // namespace headlight::ui
