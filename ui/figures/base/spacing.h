#pragma once

// The white space that every figure has alike, in px of a figure at its usual size.

namespace headlight::ui {

inline constexpr double kFigureMargin = 16; ///< around a figure, and between its cards
inline constexpr double kCardPadding = 14;  ///< within a card, around what it holds

/// FigureStyle::textScale at which labels have 5.25 points, and nothing less: journals take no
/// smaller type. A figure that makes its type smaller to have room goes no further by itself.
inline constexpr double kLeastTextScale = 0.65;

} // namespace headlight::ui
