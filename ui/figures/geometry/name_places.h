// Names beside points that lie anywhere: each finds a place where it covers nothing, or has none.
#pragma once

#include "ui/figures/geometry/plane_geometry.h"

#include <QLineF>

namespace headlight::ui {

/// `tips` are the items' points on the screen, `lines` what a name should not cross where there is
/// another place. In the order of their ranks, then of the list.
std::vector<PlaneName> placeNames(const std::vector<PlaneItem> &items,
                                  const std::vector<QPointF> &tips,
                                  const std::vector<QPointF> &starts,
                                  const std::vector<QLineF> &lines, const QRectF &plot);

} // namespace headlight::ui
