// Mask layers in words: the same in the mask editor, in captions, in the undo list and under the
// mouse.
#pragma once

#include "core/operations/mask_layers.h"

#include <QStringList>

namespace headlight::ui {

/// What the layer is: "causal mask", "window of 3 tokens".
QString maskName(const core::MaskLayer &layer);

/// Why it hides a key: "it comes later (causal mask)".
QString maskReason(const core::MaskLayer &layer);

/// "Mask: causal and padding mask": one or more, by their names.
QString maskSentence(const QStringList &names);

} // namespace headlight::ui
