// The titles of the matrices in a close-up, and the controls at them.
#pragma once

#include "ui/figures/close_up/close_up_geometry.h"

namespace headlight::ui {

/// px before scaling, between a title and the next one, or the controls beside it
inline constexpr double kTitleGap = 10;

/// Places the title in `room`, with as much detail as fits, at most `mostDetail`. A matrix of the
/// selected head has the control of the head after its title. If there is little room, the title
/// loses its name and size before its control.
void placeTitle(CloseUpGeometry::Placed &placed, const CloseUpShape &matrix,
                const CloseUpRequest &request, const QRectF &room, int mostDetail = 2);

/// Returns the width of the first `count` controls of the result in a row, with the gap before
/// them.
double chipsWidth(const CloseUpRequest &request, std::size_t count);
/// Returns how many controls fit beside the symbol of the result, which begins at x. The others are
/// shown only on the filmstrip.
std::size_t fittingChips(const CloseUpRequest &request, double x);
/// Places the controls in a row after the title of the result.
void placeChipsBeside(CloseUpGeometry &geometry, const CloseUpRequest &request);
/// Places the title of the result in lines at the right of the card, and the controls below it. If
/// the card is too low, the title begins above it, at most at the height of `corner`, and its name
/// and size are cut first.
void placeNotes(CloseUpGeometry &geometry, const CloseUpRequest &request, QPointF corner,
                double width);

} // namespace headlight::ui
