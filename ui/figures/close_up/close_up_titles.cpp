#include "ui/figures/close_up/close_up_titles.h"

#include "ui/figures/close_up/close_up_parts.h"
#include "ui/figures/heatmap/trace_heatmap.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kHeadGap = 5; // px before scaling, between a title and its control

} // namespace

Spans CloseUpPart::title(int detail, const FigureStyle &style) const {
    const core::SharedMatrix matrix = content.matrix();
    const core::Index rows = whole ? whole->rows : matrix.rows;
    const core::Index columns = whole ? whole->columns : matrix.columns;
    QString rest;
    if (detail > 1)
        rest += QStringLiteral("  ") + name;
    if (detail > 0 && rows > 0)
        rest +=
            (detail > 1 ? QStringLiteral(" · ") : QStringLiteral("  ")) + shapeText(rows, columns);
    return symbol + Spans{{rest, style.mutedText, false, Span::Place::Line}};
}

void placeTitle(CloseUpGeometry::Placed &placed, const CloseUpShape &matrix,
                const CloseUpRequest &request, const QRectF &room, int mostDetail) {
    const auto widthOf = [&matrix](int detail) {
        return matrix.titles[static_cast<std::size_t>(detail)];
    };
    const double gap = std::round(kHeadGap * request.scale);
    placed.title = room;
    const auto fitting = std::ranges::find_if(request.headChips, [&](const QSizeF &chip) {
        return widthOf(0) + gap + chip.width() <= room.width();
    });
    const bool hasChip = matrix.isOfHead && fitting != request.headChips.end();
    if (hasChip)
        placed.title.setWidth(room.width() - gap - fitting->width());
    placed.detail = mostDetail;
    while (placed.detail > 0 && widthOf(placed.detail) > placed.title.width())
        --placed.detail;
    if (!hasChip)
        return;
    placed.title.setWidth(std::min(placed.title.width(), widthOf(placed.detail)));
    placed.headChip = QRectF(QPointF(std::ceil(room.left() + widthOf(placed.detail) + gap),
                                     std::round(room.center().y() - fitting->height() / 2)),
                             *fitting);
}

} // namespace headlight::ui
