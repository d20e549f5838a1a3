// Arrows of the flow figure: their ends and their routes around other elements.
#pragma once

#include "ui/figures/flow/flow_geometry.h"

#include <array>

namespace headlight::ui {

/// Left and right edge of a column.
struct FlowExtent {
    double left = 0, right = 0;
};
using FlowColumns = std::array<FlowExtent, kFlowColumns>;

/// `geometry` must contain its nodes and card. Arrows run above the columns from height `over` on,
/// and below them at `under`.
std::vector<FlowArrow> flowArrows(const FlowGeometry &geometry, const FlowRequest &request,
                                  const FlowColumns &columns, double over, double under);

} // namespace headlight::ui
