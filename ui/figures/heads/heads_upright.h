#pragma once

namespace headlight::ui {

/// A heads figure with a height above this multiple of its width places the enlarged heatmap below
/// the others.
inline constexpr double kUpright = 1.25;

} // namespace headlight::ui
