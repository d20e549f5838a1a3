#pragma once

// The white space that every figure has alike, in px of a figure at its usual size.

namespace headlight::ui {

inline constexpr double kFigureMargin = 16; ///< around a figure, and between its cards
inline constexpr double kCardPadding = 14;  ///< within a card, around what it holds

} // namespace headlight::ui
