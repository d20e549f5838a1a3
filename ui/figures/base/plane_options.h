// Options of the planes in the Geometry view.
#pragma once

#include "core/analysis/vector_space.h"
#include "core/selection/view_options.h"

#include <QString>

#include <array>
#include <optional>

namespace headlight::ui {

using core::PlaneAxes;
using core::ShownSpaces;

inline constexpr std::array kPlaneAxes{PlaneAxes::Principal, PlaneAxes::DotProduct};
inline constexpr std::array kShownSpaces{ShownSpaces::All, ShownSpaces::Residual,
                                         ShownSpaces::QueryKey, ShownSpaces::ValueContext};

struct PlaneOptions {
    ShownSpaces spaces = ShownSpaces::All;
    PlaneAxes axes = PlaneAxes::Principal;
    /// Position of each word on its path: 0 at the layer input, 1 after attention.
    double gravity = 0;
    /// True if the sequences of the batch are overlaid in the residual stream.
    bool together = false;
    bool operator==(const PlaneOptions &) const = default;
};

/// Returns the name used on the command line: "principal", "dot-product".
QString nameOf(PlaneAxes axes);
/// Returns "all", "residual", "query-key" or "value-context".
QString nameOf(ShownSpaces spaces);

} // namespace headlight::ui
