// What a person set for single tokens, after the tokens have changed: what is about a token that is
// not there any more goes with it.
#pragma once

#include "core/transformer/trace/trace.h"

namespace headlight::ui {

/// Drops mask cells and scores set by hand beyond the sequences. A layer of cells that held only
/// such goes too.
void dropWhatDoesNotFit(core::Input &input);

} // namespace headlight::ui
