// The title of a matrix in a close-up, and the control of its head after it.
#pragma once

#include "ui/figures/close_up/close_up_geometry.h"

namespace headlight::ui {

/// Places the title in `room`, with as much detail as fits, at most `mostDetail`. A matrix of the
/// selected head has the control of the head after its title. If there is little room, the title
/// loses its name and size before its control.
void placeTitle(CloseUpGeometry::Placed &placed, const CloseUpShape &matrix,
                const CloseUpRequest &request, const QRectF &room, int mostDetail = 2);

} // namespace headlight::ui
