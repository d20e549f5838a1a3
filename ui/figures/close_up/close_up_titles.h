// The titles of the matrices in a close-up, and the controls next to them.
#pragma once

#include "ui/figures/close_up/close_up_geometry.h"

namespace headlight::ui {

/// px before scaling, between a title and the next one or the controls beside the title
inline constexpr double kTitleGap = 10;

/// Places the title in `room`, with as much detail as fits, at most `mostDetail`. For the selected
/// head, the control of the head comes after the title. If space is short, the title loses its name
/// and size before its control.
void placeTitle(CloseUpGeometry::Placed &placed, const CloseUpShape &matrix,
                const CloseUpRequest &request, const QRectF &room, int mostDetail = 2);

/// Returns the width of the first `count` controls of the result in a row, including the gap before
/// them.
double chipsWidth(const CloseUpRequest &request, std::size_t count);
/// Returns how many controls fit beside the symbol of the result, which begins at x. The other
/// controls are only on the filmstrip.
std::size_t fittingChips(const CloseUpRequest &request, double x);
/// Places the controls in a row after the title of the result.
void placeChipsBeside(CloseUpGeometry &geometry, const CloseUpRequest &request);
/// Places the title of the result in several lines to the right of the card, and the controls below
/// the title. If the card is too short, the title begins above the card, but not above `corner`.
/// Its name and size are cut first.
void placeNotes(CloseUpGeometry &geometry, const CloseUpRequest &request, QPointF corner,
                double width);

} // namespace headlight::ui
