#pragma once

namespace headlight::ui {

/// The ratio of height to width from which a heads figure places the enlarged heatmap below the
/// others.
inline constexpr double kUpright = 1.25;

} // namespace headlight::ui
