// Adapts a selection to another state.
#pragma once

#include "ui/document/state/document_state.h"

namespace headlight::ui {

/// Replaces stack, layer, block, sequence, head and stage with the nearest ones that exist. Resets
/// a query, key or dimension that does not exist.
core::Selection fittingSelection(core::Selection selection, const core::Model &model,
                                 const core::Input &input);
inline core::Selection fittingSelection(core::Selection selection, const DocumentState &state) {
    return fittingSelection(selection, state.model, state.input);
}

} // namespace headlight::ui
