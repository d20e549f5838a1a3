// Which view the options of the command line mean, and whether it has what they choose.
#pragma once

#include "core/result.h"
#include "ui/figures/table/view_choices.h"
#include "ui/figures/table/views.h"

namespace headlight::app {

/// The view that the choices mean; empty: any.
QString viewFor(const ui::ViewChoices &choices);

/// Errors: a choice that this view does not have. `role`: of the numbers that it shows; none: of
/// both kinds.
core::Outcome checkFor(const ui::ViewChoices &choices, const ui::ViewInfo &view,
                       std::optional<core::Role> role);

} // namespace headlight::app
