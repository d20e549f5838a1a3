// The arrows of the flow figure: which stage feeds which, and the way from one to the other past
// everything else.
#pragma once

#include "ui/figures/flow/flow_geometry.h"

#include <array>

namespace headlight::ui {

/// Left and right edge of each column.
struct FlowExtent {
    double left = 0, right = 0;
};
using FlowColumns = std::array<FlowExtent, kFlowColumns>;

/// `geometry` has its nodes and its card. Arrows pass above the columns from the height `over` on,
/// and beneath them at `under`.
std::vector<FlowArrow> flowArrows(const FlowGeometry &geometry, const FlowRequest &request,
                                  const FlowColumns &columns, double over, double under);

} // namespace headlight::ui
