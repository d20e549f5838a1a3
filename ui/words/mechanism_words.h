// Names of the mechanism's settings, shared by the editor, the undo list and captions.
#pragma once

#include "core/transformer/model/config.h"
#include "core/transformer/model/interventions.h"

#include <QString>

namespace headlight::ui {

/// Returns "÷√d", "÷2" or "off".
QString scaleWords(const core::Scale &scale);
/// Returns "−∞ before softmax", "−1e4 before softmax" or "after softmax".
QString maskingWords(const core::MaskOptions &masking);
/// Returns the mask value: "−∞", "−1e9", "−1e4".
QString maskValueWords(float value);
/// Returns "on", "zeros", "its mean" or "uniform attention".
QString headStateWords(core::HeadState state);

} // namespace headlight::ui
