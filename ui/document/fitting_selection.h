// A selection made for one state, in another: what does not exist there is dropped.
#pragma once

#include "ui/document/state/document_state.h"

namespace headlight::ui {

/// Stack, layer, block, sequence and head become the nearest ones there are; a stage that the site
/// does not have becomes a near one; a query, key or dimension that is not there any more is none.
core::Selection fittingSelection(core::Selection selection, const core::Model &model,
                                 const core::Input &input);
inline core::Selection fittingSelection(core::Selection selection, const DocumentState &state) {
    return fittingSelection(selection, state.model, state.input);
}

} // namespace headlight::ui
