// The mechanism's settings in words: the same in the editor, in the undo list and in captions.
#pragma once

#include "core/transformer/model/config.h"
#include "core/transformer/model/interventions.h"

#include <QString>

namespace headlight::ui {

/// "÷√d", "÷2", "off".
QString scaleWords(const core::Scale &scale);
/// "−∞ before softmax", "−1e4 before softmax", "after softmax".
QString maskingWords(const core::MaskOptions &masking);
/// "−∞", "−1e9", "−1e4": the mask's value as people write it.
QString maskValueWords(float value);
/// "on", "zeros", "its mean", "uniform attention".
QString headStateWords(core::HeadState state);

} // namespace headlight::ui
