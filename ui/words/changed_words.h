// What a person changed, in words.
#pragma once

#include "core/formats/session/data/state_fields.h"

#include <QString>

namespace headlight::ui {

/// "the text", "the weights": to stand in a sentence.
QString nameOf(core::StatePart part);

} // namespace headlight::ui
