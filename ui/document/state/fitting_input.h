// Removes per-token settings whose tokens no longer exist.
#pragma once

#include "core/transformer/trace/trace.h"

namespace headlight::ui {

/// Drops mask cells and score overrides beyond the sequences. Also drops a cell layer that becomes
/// empty.
void dropWhatDoesNotFit(core::Input &input);

} // namespace headlight::ui
