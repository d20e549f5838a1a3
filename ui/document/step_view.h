// What a lesson's step lets one see, whatever was looked at before: its place, its tab and its
// look.
#pragma once

#include "core/selection/view_options.h"
#include "ui/document/state/document_state.h"

#include <QString>

namespace headlight::ui {

/// The step's `show`, laid over the session's `view`. Where a person has changed the text, a row or
/// a column that the step names is that of the same word, if the text still has it: `base` is the
/// lesson's own state at the step, `now` the present one.
/// `asked`: its question is still to be answered; then what that shows, or nothing but embeddings.
core::Selection selectionOfStep(const core::Session &session, const DocumentState &base,
                                const DocumentState &now, bool asked = false);

/// The tab; empty: neither the step nor the session asks for one.
QString viewOfStep(const core::Session &session, core::Index step, bool asked = false);

core::ViewOptions lookOfStep(const core::Session &session, core::Index step);

} // namespace headlight::ui
