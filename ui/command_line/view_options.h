// The options of a view or figure: its source, the position in it, and how to show it. Each row
// reads and writes its option.
#pragma once

#include "ui/command_line/option.h"
#include "ui/command_line/view_request.h"

#include <span>

namespace headlight::ui {

std::span<const OptionRow<ViewRequest>> viewOptions();

/// Returns the arguments of `headlight figure` for this request, without the source.
QStringList figureText(const ViewRequest &request);

/// Returns the request's first option that sets this choice of a view, such as "--range". Null if
/// the request leaves it to the view.
const char *optionOf(const ViewRequest &request, Choice choice);

} // namespace headlight::ui
