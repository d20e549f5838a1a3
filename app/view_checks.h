// The view that options imply, and whether a view supports them.
#pragma once

#include "core/result.h"
#include "ui/command_line/view_request.h"
#include "ui/figures/table/views.h"

namespace headlight::app {

/// The view implied by the options; empty if they fit any view.
QString viewFor(const ui::ViewRequest &request);

/// Errors: an option that this view does not support. `role` is that of the shown numbers; unset if
/// both kinds are shown.
core::Outcome checkFor(const ui::ViewRequest &request, const ui::ViewInfo &view,
                       std::optional<core::Role> role);

} // namespace headlight::app
