// Names of the parts of a state that the user can change.
#pragma once

#include "core/formats/session/data/state_fields.h"

#include <QString>

namespace headlight::ui {

/// Returns a name for use inside a sentence: "the text", "the weights".
QString nameOf(core::StatePart part);

} // namespace headlight::ui
