// Keyboard steps over tokens that cannot be selected. With side A shown, those are the tokens that
// only A has.
#pragma once

#include "core/tensor/matrix.h"

#include <functional>
#include <optional>

namespace headlight::ui {

/// Returns `to` if it can be selected, otherwise the next selectable token in the direction of
/// `step`, otherwise the nearest one on the other side. Unset if no token can be selected.
std::optional<core::Index> nearestSelectable(core::Index to, core::Index step, core::Index count,
                                             const std::function<bool(core::Index)> &canSelect);

} // namespace headlight::ui
