// A selection as a file says it.
#pragma once

#include "core/formats/session/data/session.h"

namespace headlight::core {

/// All of the selection: laid over any other it gives just this one.
SelectionPatch patchOf(const Selection &selection);
/// The patch `over` laid over `base`: what atStep() does to a session's view.
SelectionPatch merged(SelectionPatch base, const SelectionPatch &over);

} // namespace headlight::core
