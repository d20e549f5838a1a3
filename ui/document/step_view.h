// The view that a lesson step shows: its selection, its tab and its view options.
#pragma once

#include "core/selection/view_options.h"
#include "ui/document/state/document_state.h"

#include <QString>

namespace headlight::ui {

/// Applies the step's `show` to the session's `view`. If the user has changed the text, a row or
/// column of the step is mapped to the same word, if it still exists. `base` is the lesson's state
/// at the step, `now` the current one. `asked`: the step's question is open. The selection is then
/// the question's `show`, or embeddings only.
core::Selection selectionOfStep(const core::Session &session, const DocumentState &base,
                                const DocumentState &now, bool asked = false);

/// Returns the tab. Empty if neither the step nor the session requests one.
QString viewOfStep(const core::Session &session, core::Index step, bool asked = false);

core::ViewOptions lookOfStep(const core::Session &session, core::Index step);

/// True if the lesson comes to attention weights only after this step: no step up to it shows them,
/// and no text up to it has a number of them.
bool comesBeforeWeights(const core::Session &session, core::Index step);

} // namespace headlight::ui
