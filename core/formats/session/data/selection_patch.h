// A selection as stored in files.
#pragma once

#include "core/formats/session/data/session.h"

namespace headlight::core {

/// Returns a patch with every field of the selection.
SelectionPatch patchOf(const Selection &selection);
/// Applies the patch `over` to `base`, as atStep() does to a session's view.
SelectionPatch merged(SelectionPatch base, const SelectionPatch &over);

} // namespace headlight::core
