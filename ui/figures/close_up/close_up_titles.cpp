#include "ui/figures/close_up/close_up_titles.h"

#include "ui/figures/close_up/close_up_parts.h"
#include "ui/figures/heatmap/trace_heatmap.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace headlight::ui {

namespace {

// px before scaling
constexpr double kHeadGap = 5; // between a title and its control
constexpr double kChipGap = 4; // between two stacked controls

double scaled(const CloseUpRequest &request, double length) {
    return std::round(length * request.scale);
}

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

double chipsWidth(const CloseUpRequest &request, std::size_t count) {
    const double gap = scaled(request, kChipGap);
    double width = 0;
    for (std::size_t i = 0; i < count; ++i)
        width += request.chips[i].width() + gap;
    return width > 0 ? width + scaled(request, kTitleGap) - gap : 0;
}

std::size_t fittingChips(const CloseUpRequest &request, double x) {
    std::size_t count = request.chips.size();
    while (count > 0 &&
           x + request.result.titles[0] + chipsWidth(request, count) > request.area.right())
        --count;
    return count;
}

void placeChipsBeside(CloseUpGeometry &geometry, const CloseUpRequest &request) {
    const QRectF &title = geometry.result.title;
    const double words = request.result.titles[static_cast<std::size_t>(geometry.result.detail)];
    const double gap = scaled(request, kTitleGap);
    const std::size_t count = fittingChips(request, title.left());
    double x = std::min(title.left() + words + gap,
                        request.area.right() - chipsWidth(request, count) + gap);
    for (const QSizeF &chip : std::span(request.chips).first(count)) {
        geometry.chips.emplace_back(QPointF(x, std::round(title.center().y() - chip.height() / 2)),
                                    chip);
        x += chip.width() + scaled(request, kChipGap);
    }
}

void placeNotes(CloseUpGeometry &geometry, const CloseUpRequest &request, QPointF corner,
                double width) {
    const QRectF &card = geometry.card;
    const double gap = scaled(request, kChipGap);
    double chips = 0;
    for (const QSizeF &chip : request.chips)
        chips += chip.height() + gap;
    const double text = request.titleHeight + request.result.noteLines * (request.labelHeight + 2);
    const double start =
        chips > 0 ? std::clamp(card.bottom() - chips - text, corner.y(), card.top() + gap)
                  : card.top() + gap;
    const double height =
        chips > 0 ? std::min(text, card.bottom() - chips - start) : card.bottom() - start;
    geometry.result.title = QRectF(corner.x(), start, width, std::max(height, request.titleHeight));
    double y = geometry.result.title.bottom() + gap;
    for (const QSizeF &chip : request.chips) {
        geometry.chips.emplace_back(QPointF(corner.x(), y), chip);
        y += chip.height() + gap;
    }
}

} // namespace headlight::ui
