// What can be chosen about a figure made from a trace, besides its style.
#pragma once

#include "ui/figures/colour_scale.h"

#include <optional>

namespace headlight::ui {

struct FigureOptions {
    Range range = Range::Fixed;
    std::optional<ColourMap> colours; ///< instead of the style's: a sequential map for weights, a
                                      ///< diverging one for the rest
    bool numbers = true;              ///< in cells, once they fit
    QString title;                    ///< instead of the figure's own
    bool operator==(const FigureOptions &) const = default;
};

} // namespace headlight::ui
