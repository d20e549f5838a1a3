// The matrix of a selection as text for other programs.
#pragma once

#include "core/result.h"
#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"

#include <string>

namespace headlight::ui {

/// The stage's matrix of the selection's sequence, layer and head, all of it and in all digits,
/// with tokens (and dimensions) as labels; the corner says which stage it is. ',' as RFC 4180 has
/// it, or
/// '\t'. Errors: the model has no such stage.
core::Result<std::string> matrixText(const core::Trace &trace, const core::Selection &selection,
                                     char separator);

/// How many numbers matrixText() would write.
core::Index matrixSize(const core::Trace &trace, const core::Selection &selection);

} // namespace headlight::ui
