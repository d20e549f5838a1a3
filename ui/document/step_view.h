// The view that a lesson step shows: its selection, its tab and its view options.
#pragma once

#include "core/selection/view_options.h"
#include "ui/document/state/document_state.h"

#include <QString>

namespace headlight::ui {

/// Applies the step's `show` to the session's `view`. If the user has changed the text, a row or
/// column of the step is mapped to the same word, if that word still exists. `base` is the lesson's
/// state at the step, `now` the current one. If `asked` is true (the step's question is open), the
/// question's `show` is applied too. Its stage defaults to the embeddings.
core::Selection selectionOfStep(const core::Session &session, const DocumentState &base,
                                const DocumentState &now, bool asked = false);

/// Returns the tab. Empty if neither the step nor the session requests one.
QString viewOfStep(const core::Session &session, core::Index step, bool asked = false);

core::ViewOptions lookOfStep(const core::Session &session, core::Index step);

/// True if neither this step nor an earlier one shows attention weights, in its view or in its
/// texts.
bool comesBeforeWeights(const core::Session &session, core::Index step);

} // namespace headlight::ui
