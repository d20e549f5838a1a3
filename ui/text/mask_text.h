// Names of mask layers, shared by the mask editor, captions, the undo list and tooltips.
#pragma once

#include "core/operations/mask_layers.h"

#include <QStringList>

namespace headlight::ui {

/// Returns the layer's name: "causal mask", "window of 3 tokens".
QString maskName(const core::MaskLayer &layer);

/// Returns why the layer hides a key: "it comes later (causal mask)".
QString maskReason(const core::MaskLayer &layer);

/// Returns "Mask: causal and padding mask" for one or more names.
QString maskSentence(const QStringList &names);

} // namespace headlight::ui
