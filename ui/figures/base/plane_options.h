// What can be chosen about the planes of the Geometry view.
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
    /// How far along its way each word is: 0 where it enters the layer, 1 where attention takes it.
    double gravity = 0;
    /// The sequences of the batch over each other, in the residual stream.
    bool together = false;
    bool operator==(const PlaneOptions &) const = default;
};

/// "principal", "dot-product", as the command line writes it.
QString nameOf(PlaneAxes axes);
std::optional<PlaneAxes> findAxes(const QString &name);
/// "all", "residual", "query-key", "value-context".
QString nameOf(ShownSpaces spaces);
std::optional<ShownSpaces> findSpaces(const QString &name);

} // namespace headlight::ui
