// Side A of a figure's comparison.
#pragma once

#include "app/commands.h"
#include "ui/compare/compared.h"

namespace headlight::app {

/// Computes side A as --compare and --compare-sequence specify. Errors: the source cannot be
/// opened, an index is out of range.
core::Result<ui::Compared> comparedWith(const Arguments &arguments, const SourceAndTrace &now,
                                        std::stop_token stop);

} // namespace headlight::app
