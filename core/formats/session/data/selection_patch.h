// Converts between selections and the patches stored in files.
#pragma once

#include "core/formats/session/data/session.h"

namespace headlight::core {

/// Returns a patch with every field of the selection.
SelectionPatch patchOf(const Selection &selection);
/// Returns `base` with the fields that `over` sets, just as atStep() combines them with a session's
/// view.
SelectionPatch merged(SelectionPatch base, const SelectionPatch &over);

} // namespace headlight::core
