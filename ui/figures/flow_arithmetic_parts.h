// The lines of arithmetic, part by part of the model. A row of the selection's stage is there.
#pragma once

#include "ui/figures/arithmetic_line.h"

namespace headlight::ui {

Spans attentionArithmetic(const core::Trace &trace, const core::Selection &selection,
                          const FigureStyle &style);
/// Embeddings, norms, residual connections, feed-forward networks and heads.
Spans blockArithmetic(const core::Trace &trace, const core::Selection &selection,
                      const FigureStyle &style);

} // namespace headlight::ui
