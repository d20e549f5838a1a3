// From the options of `figure` to the figure that they ask for.
#pragma once

#include "app/arguments.h"
#include "ui/compare/compared.h"
#include "ui/figures/base/figure.h"

#include <memory>

namespace headlight::app {

using FigurePointer = std::unique_ptr<ui::Figure>;

/// Makes of a long input what the figure shows. Errors: why the two sides cannot be compared, a
/// stage that the trace does not have, options that exclude each other.
core::Result<FigurePointer> figureOf(const Arguments &arguments, const ui::OpenedSource &opened,
                                     const core::TracePointer &trace, const ui::Compared &compared,
                                     const std::stop_token &stop);

/// What such a figure carries: the session as it shows it, and the words. Empty where it is not to
/// carry any, or where nothing was computed from a session.
std::string carriedBy(const Arguments &arguments, const ui::OpenedSource &opened,
                      const core::TracePointer &trace);

} // namespace headlight::app
