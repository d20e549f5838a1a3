// Finds the view that options imply, and checks that a view supports them.
#pragma once

#include "core/result.h"
#include "ui/command_line/view_request.h"
#include "ui/figures/table/views.h"

namespace headlight::app {

/// Returns the view that the options imply; empty if they fit any view.
QString viewFor(const ui::ViewRequest &request);

/// Errors: an option that this view does not support. `role` is the role of the displayed values;
/// unset if the view shows both weights and signed values.
core::Outcome checkFor(const ui::ViewRequest &request, const ui::ViewInfo &view,
                       std::optional<core::Role> role);

} // namespace headlight::app
