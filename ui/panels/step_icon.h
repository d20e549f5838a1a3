// Icons of the filmstrip's buttons, drawn because symbols look different in each font.
#pragma once

#include <QColor>
#include <QIcon>

namespace headlight::ui {

enum class StepSymbol { First, Back, Play, Pause, Next, Last };

/// `side`: width and height, logical pixels.
QIcon stepIcon(StepSymbol symbol, const QColor &colour, const QColor &disabled, int side);

} // namespace headlight::ui
