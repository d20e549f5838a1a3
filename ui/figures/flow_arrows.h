// The arrows of the flow figure: which stage feeds which, and the way from one to the other past
// everything else.
#pragma once

#include "ui/figures/flow_geometry.h"

#include <array>

namespace headlight::ui {

/// Left and right edge of each of the four columns.
struct FlowExtent {
    double left = 0, right = 0;
};
using FlowColumns = std::array<FlowExtent, 4>;

/// `geometry` has its nodes and its card. `lane` is the height at which the values pass beneath the
/// scores.
std::vector<FlowArrow> flowArrows(const FlowGeometry &geometry,
                                  const std::vector<FlowStage> &stages, const FlowColumns &columns,
                                  double lane);

} // namespace headlight::ui
