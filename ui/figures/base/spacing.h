#pragma once

// White space shared by all figures, in px at the usual figure size.

namespace headlight::ui {

inline constexpr double kFigureMargin = 16; ///< margin around a figure and between its cards
inline constexpr double kCardPadding = 14;  ///< padding inside a card

/// The FigureStyle::textScale at which labels are 5.25 points, the smallest type that journals
/// accept. A figure that shrinks its type to fit stops here.
inline constexpr double kMinTextScale = 0.65;

} // namespace headlight::ui
