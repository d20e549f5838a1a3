// What a figure of the command line is compared with.
#pragma once

#include "app/commands.h"
#include "ui/compare/compared.h"

namespace headlight::app {

/// Side A as --compare and --compare-sequence name it, computed. Errors: those of opening it, and
/// indices that it does not have.
core::Result<ui::Compared> comparedWith(const Arguments &arguments, const SourceAndTrace &now,
                                        std::stop_token stop);

} // namespace headlight::app
