// Names of the mechanism's settings, shared by the editor, the undo list and captions.
#pragma once

#include "core/transformer/model/config.h"
#include "core/transformer/model/interventions.h"

#include <QString>

#include <vector>

namespace headlight::ui {

/// Returns "÷√d", "÷2" or "off".
QString scalingText(const core::Scale &scale);
/// Returns "−∞ before softmax", "−1e4 before softmax" or "after softmax".
QString maskingText(const core::MaskOptions &masking);
/// Returns the mask value: "−∞", "−1e9", "−1e4".
QString maskValueText(float value);
/// A positional encoding in menus and lists.
struct PositionsText {
    core::Positions positions;
    QString name;    ///< "Rotary"
    QString meaning; ///< one sentence, for a tooltip
};
/// Returns all encodings, in the order of menus.
std::vector<PositionsText> positionsTexts();
QString positionsName(core::Positions positions);
/// Returns "on", "zeros", "its mean" or "uniform attention".
QString headStateText(core::HeadState state);

} // namespace headlight::ui
