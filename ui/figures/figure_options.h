// What can be chosen about a figure made from a trace, besides its style.
#pragma once

#include "ui/figures/colour_scale.h"

#include <optional>

namespace headlight::ui {

struct FigureOptions {
    Range range = Range::Fixed;
    std::optional<ColourMap>
        colours;         ///< for every matrix of the figure, instead of the style's two
    bool numbers = true; ///< in cells, once they fit
    QString title;       ///< instead of the figure's own
    bool operator==(const FigureOptions &) const = default;
};

} // namespace headlight::ui
