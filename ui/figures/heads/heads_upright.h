#pragma once

namespace headlight::ui {

/// If the height of a heads figure exceeds this multiple of its width, the enlarged heatmap is
/// below the others.
inline constexpr double kUpright = 1.25;

} // namespace headlight::ui
