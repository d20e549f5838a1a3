// The formula of a stage, with each symbol in its role colour.
#pragma once

#include "core/explain/gradients/backward_pass.h"
#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"
#include "ui/figures/base/style.h"
#include "ui/figures/text/text.h"

namespace headlight::ui {

/// Returns the formula of the selection's head in this model as one line. Examples are S = QKᵀ /
/// √16, S = QKᵀ without scaling, and Z = 0 for a silenced head.
Spans formulaSpans(const core::Trace &trace, const core::Selection &place,
                   const FigureStyle &style);

/// Returns the formula of the stage's gradient.
Spans formulaSpans(const core::BackwardPass &backwardPass, const core::Selection &place,
                   const FigureStyle &style);

/// Returns a stage's symbol as used in formulas and titles.
QString symbolText(const core::Trace &trace, core::StageId at);

} // namespace headlight::ui
