// Moves a slider of a lesson's text.
#pragma once

#include "core/transformer/trace/trace.h"
#include "ui/document/state/change.h"

#include <QString>

namespace headlight::ui::edits {

/// Sets the value of a slider. `mark` is "slider temperature 0.25 to 4" as hexadecimal digits
/// (core::hexOf()), `share` is the position on the slider, 0 … 1. Errors: as core::takeSlider().
core::Result<Change> moveSlider(const DocumentState &state, const core::Trace &trace,
                                const QString &mark, double share);

} // namespace headlight::ui::edits
