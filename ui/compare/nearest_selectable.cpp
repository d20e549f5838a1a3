#include "ui/compare/nearest_selectable.h"

namespace headlight::ui {

std::optional<core::Index> nearestSelectable(core::Index to, core::Index step, core::Index count,
                                             const std::function<bool(core::Index)> &canSelect) {
    const core::Index forward = step < 0 ? -1 : 1;
    for (const core::Index way : {forward, -forward})
        for (core::Index token = to; token >= 0 && token < count; token += way)
            if (canSelect(token))
                return token;
    return std::nullopt;
}

} // namespace headlight::ui
