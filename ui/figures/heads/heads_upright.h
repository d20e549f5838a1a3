#pragma once

namespace headlight::ui {

/// So many times as high as it is wide, a figure of heads has the enlarged one beneath the others.
inline constexpr double kUpright = 1.25;

} // namespace headlight::ui
