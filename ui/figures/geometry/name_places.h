// Places names next to points so that they cover nothing. A name without a free position is left
// out.
#pragma once

#include "ui/figures/geometry/plane_geometry.h"

#include <QLineF>

namespace headlight::ui {

/// `tips` are the screen positions of the items. Names avoid `lines` if possible. They are placed
/// by rank, then in list order.
std::vector<PlaneName> placeNames(const std::vector<PlaneItem> &items,
                                  const std::vector<QPointF> &tips,
                                  const std::vector<QPointF> &starts,
                                  const std::vector<QLineF> &lines, const QRectF &plot);

} // namespace headlight::ui
