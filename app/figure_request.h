// Builds the figure that the options of `figure` request.
#pragma once

#include "app/arguments.h"
#include "ui/compare/compared.h"
#include "ui/figures/base/figure.h"

#include <memory>

namespace headlight::app {

using FigurePointer = std::unique_ptr<ui::Figure>;

/// Builds the figure. Computes the details that it shows of a long input. Errors: sides that cannot
/// be compared, a stage that the trace does not have, conflicting options.
core::Result<FigurePointer> figureOf(const Arguments &arguments, const ui::OpenedSource &opened,
                                     const core::TracePointer &trace, const ui::Compared &compared,
                                     const std::stop_token &stop);

/// Returns the data to embed in the figure: its session and the words. Empty if embedding is
/// disabled, or if nothing was computed from a session.
std::string carriedBy(const Arguments &arguments, const ui::OpenedSource &opened,
                      const core::TracePointer &trace);

} // namespace headlight::app
