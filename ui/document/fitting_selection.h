// A selection made for one state, in another: what does not exist there is dropped.
#pragma once

#include "ui/document/document_state.h"

namespace headlight::ui {

/// Sequence, layer and head become the nearest ones there are; a query, key or dimension that is
/// not there any more is none; a stage that the model does not have becomes the one it equals.
core::Selection fittingSelection(core::Selection selection, const DocumentState &state);

} // namespace headlight::ui
