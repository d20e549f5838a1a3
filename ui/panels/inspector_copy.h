// The selected matrix as text for other programs.
#pragma once

#include "core/result.h"
#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"

#include <string>

namespace headlight::ui {

/// Returns the whole matrix of the selection's stage, sequence, layer and head, with all digits.
/// Tokens or dimensions are its labels; the corner names the stage. Separator: ',' (RFC 4180) or
/// '\t'. Errors: the model has no such stage.
core::Result<std::string> matrixText(const core::Trace &trace, const core::Selection &selection,
                                     char separator);

/// Returns how many numbers matrixText() would write.
core::Index matrixSize(const core::Trace &trace, const core::Selection &selection);

} // namespace headlight::ui
