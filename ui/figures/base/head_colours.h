// Colours that distinguish the heads of a layer if several are drawn on top of each other.
#pragma once

#include "ui/figures/base/style.h"

namespace headlight::ui {

/// Returns the head's colour. Its contrast with the background is at least kMarkContrast. The first
/// twelve heads have different hues. Later heads repeat these hues, darker or lighter.
QColor headColour(core::Index head, const FigureStyle &style);

/// Like headColour(), but for text and numbers. The contrast is at least kTextContrast.
QColor headTextColour(core::Index head, const FigureStyle &style);

} // namespace headlight::ui
