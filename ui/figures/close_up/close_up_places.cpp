// CloseUpFigure: the layout of the picture, the line of arithmetic and the cards in an area.
#include "ui/figures/base/spacing.h"
#include "ui/figures/close_up/close_up_figure.h"
#include "ui/figures/heatmap/beside_column.h"
#include "ui/figures/heatmap/heatmap_painting.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr QSizeF kUsualRoom(1088, 460);    // px; larger areas allow larger cells
constexpr double kLowArea = 300;           // px; shorter areas have less white space
constexpr double kLowPadding = 6;          // px inside the card of numbers in a short area
constexpr double kTableShare = 0.57;       // share of the height for arithmetic below a picture
constexpr double kPictureShare = 0.46;     // share of the width for the picture beside a table
constexpr double kBarsPictureShare = 0.56; // share of the width for the picture beside bars
constexpr double kUsualTable = 380;        // px; a narrower table may be below the picture
constexpr double kMinTable = 300;          // px; a narrower table has only a few numbers
constexpr double kMinBars = 230;           // px; narrower bars are too short to compare
constexpr double kMinPicture = 220;        // px; a narrower picture has no card beside it
constexpr double kMinResult = 36;          // px, smallest side of a result next to a narrow card
constexpr double kNarrowPicture = 380;     // px; narrower pictures have the name in short lines

/// Returns the usual width of a table beside the picture.
double besideShare(double width, double gap) {
    return width * (1 - kPictureShare) - gap;
}

bool hasNumbers(const CloseUpGeometry &picture) {
    return picture.form == CloseUpGeometry::Form::Numbers;
}

} // namespace

bool CloseUpFigure::showsHead(const CloseUpGeometry &picture, const CloseUpViewport &viewport) {
    return viewport.hasHeadChip && !picture.chips.empty();
}

/// Places the picture in `room`, a part of the area. `inner` is the size of the area without its
/// margins.
CloseUpGeometry CloseUpFigure::pictureIn(const QRectF &room, const QSizeF &inner,
                                         const CloseUpViewport &viewport) const {
    CloseUpRequest request = m_request;
    const double growth =
        std::min(inner.width() / kUsualRoom.width(), inner.height() / kUsualRoom.height()) /
        m_style.textScale;
    request.maxCell = viewport.zoom * std::max(1.0, growth);
    request.chips = viewport.chips;
    request.headChips = viewport.headChips;
    if (room.width() < m_style.scaled(kNarrowPicture)) {
        request.isNarrow = true;
        request.result.notes = m_shortNotes.width;
        request.result.noteLines = m_shortNotes.lines;
    }
    const double lines = m_lines ? m_lines->width() : 0;
    const double beside = besideWidth(m_parts.result.content, m_style, digits());
    const double besideLabel = beside > 0 ? m_request.labelHeight : 0;
    // Leave space for the outline of the card.
    request.area = room.adjusted(4, 4, -4 - beside - lines, -2 - besideLabel);
    CloseUpGeometry picture = geometryWithSheets(request, m_sheets.size());
    HeatmapGeometry &result = picture.result.cells;
    const double bar =
        m_request.colourBar + textWidth(QStringLiteral(" · ") + facts(showsHead(picture, viewport)),
                                        m_style.font(FigureStyle::Text::Label));
    if (bar <= picture.card.width()) {
        result.colourBar.setLeft(std::min(result.colourBar.left(), picture.card.right() - bar));
        result.colourBar.setRight(picture.card.right()); // end at the card's edge
    }
    if (beside + lines == 0 || result.cells.isEmpty())
        return picture;
    if (beside > 0) {
        result.placeBeside(kBesideGap, beside - kBesideGap);
        const double left = result.cells.left() - result.rowLabelDistance;
        result.besideLabel = QRectF(left, picture.card.bottom() - m_style.scaled(3),
                                    result.beside.right() - left, besideLabel);
        picture.card.setBottom(picture.card.bottom() + besideLabel);
        result.colourBar.translate(0, besideLabel);
    }
    if (m_lines)
        result.lines =
            QRectF(result.cells.right() + beside, result.cells.top(), lines, result.cells.height());
    picture.card.setRight(picture.card.right() + beside + lines);
    for (QRectF &sheet : picture.sheets)
        sheet.adjust(0, 0, beside + lines, besideLabel);
    if (picture.result.isNoted) {
        picture.result.title.translate(beside + lines, 0);
        for (QRectF &chip : picture.chips)
            chip.translate(beside + lines, 0);
    }
    return picture;
}

/// Returns the height of the arithmetic's card at this width, limited to `most`.
double CloseUpFigure::tableHeight(const Places &places, double width, double most) const {
    const double padding = 2 * places.tablePadding;
    return std::min(most, m_table.heightFor(width - places.tablePadding - places.tableRight(),
                                            most - padding, places.tableScroll) +
                              padding);
}

/// Places the table of large numbers beside the picture, which then shows only colours. In a narrow
/// area, the table is beside a small picture or below the picture, whichever leaves the result more
/// space. Returns false if neither is readable.
bool CloseUpFigure::placeTable(Places &places, const QRectF &inner, double gap,
                               const CloseUpViewport &viewport) const {
    const double padding = places.tablePadding;
    const double usual = besideShare(inner.width(), gap);
    const bool isNarrow = usual < m_style.scaled(kUsualTable);
    const double card = std::max(usual, m_style.scaled(kMinTable));
    struct Choice {
        CloseUpGeometry picture;
        QRectF table;
    };
    std::vector<Choice> choices;
    if (const double left = inner.width() - card - gap;
        !isNarrow || left >= m_style.scaled(kMinPicture)) {
        const double height = tableHeight(places, card, inner.height());
        choices.push_back(
            {pictureIn({inner.topLeft(), QSizeF(left, inner.height())}, inner.size(), viewport),
             QRectF(inner.left() + left + gap,
                    inner.top() + std::floor((inner.height() - height) / 3), card, height)});
    }
    if (isNarrow) {
        const double height = tableHeight(places, inner.width(), kTableShare * inner.height());
        const double top = inner.bottom() - height;
        choices.push_back({pictureIn({inner.topLeft(), QPointF(inner.right(), top - gap)},
                                     inner.size(), viewport),
                           QRectF(inner.left(), top, inner.width(), height)});
    }
    const auto sideOf = [](const Choice &choice) {
        const QRectF &cells = choice.picture.result.cells.cells;
        return std::min(cells.width(), cells.height());
    };
    const auto isReadable = [&](const Choice &choice) {
        const QRectF table =
            choice.table.adjusted(padding, padding, -places.tableRight(), -padding);
        return sideOf(choice) >= m_style.scaled(kMinResult) &&
               m_table.layout(table, places.tableScroll).used.bottom() <= table.bottom() + 0.5;
    };
    if (isNarrow)
        std::erase_if(choices, [&](const Choice &choice) { return !isReadable(choice); });
    const auto best = std::ranges::max_element(choices, {}, sideOf);
    if (best == choices.end())
        return false;
    // The caller has already placed open arithmetic below the picture. Keep it there unless the new
    // picture has numbers or is larger.
    const QRectF &cells = places.picture.result.cells.cells;
    if (isOpened() && !hasNumbers(best->picture) &&
        sideOf(*best) <= std::min(cells.width(), cells.height()))
        return false;
    places.picture = std::move(best->picture);
    places.table = best->table;
    return true;
}

CloseUpFigure::Places CloseUpFigure::places(const QRectF &area,
                                            const CloseUpViewport &viewport) const {
    Places places;
    const bool isLow = area.height() < kLowArea;
    const double margin = isLow ? kFigureMargin / 2 : kFigureMargin;
    QRectF inner = area.adjusted(margin, margin, -margin, -margin);
    const double gap = m_style.scaled(isLow ? 6 : 10);
    const bool isOpened = this->isOpened();
    if (!m_title.isEmpty()) {
        const double height = lineHeight(m_style.font(FigureStyle::Text::Title, true)) + 2;
        places.title = QRectF(inner.left(), inner.top(), inner.width(), height);
        inner.setTop(places.title.bottom() + gap);
    }
    const QRectF whole = inner;
    const auto placeStrip = [&](bool hasNumbers) {
        const double strip = hasNumbers ? ArithmeticStrip::heightFor(m_style)
                                        : ArithmeticStrip::heightOfFormula(m_style);
        const double wide = std::max(0.0, whole.width() - viewport.besideStrip);
        places.strip = QRectF(whole.left(), whole.bottom() - strip, wide, strip);
        places.stripHasNumbers = hasNumbers;
        inner.setBottom(places.strip.top() - gap);
    };
    placeStrip(!isOpened);
    places.tablePadding = isLow ? kLowPadding : kCardPadding;
    if (isOpened) { // place the table below the picture
        places.tableScroll = viewport.tableScroll;
        const double height = tableHeight(places, inner.width(), kTableShare * inner.height());
        places.table = QRectF(inner.left(), inner.bottom() - height, inner.width(), height);
        places.picture =
            pictureIn({inner.topLeft(), QPointF(inner.right(), places.table.top() - gap)},
                      inner.size(), viewport);
    } else {
        places.picture = pictureIn(inner, inner.size(), viewport);
    }
    const bool hasNoRoom = places.picture.result.cells.cells.isEmpty();
    if (isOpened && hasNoRoom) // the arithmetic takes the whole area
        places.table =
            QRectF(inner.topLeft(),
                   QSizeF(inner.width(), tableHeight(places, inner.width(), inner.height())));
    const double card =
        std::max(inner.width() * (1 - kBarsPictureShare) - gap, m_style.scaled(kMinBars));
    if (const double left = inner.width() - card - gap;
        m_bars && !isOpened && left >= m_style.scaled(kMinPicture)) {
        places.picture =
            pictureIn({inner.topLeft(), QSizeF(left, inner.height())}, inner.size(), viewport);
        places.card = QRectF(inner.left() + left + gap, inner.top(), card, inner.height());
        places.bars = m_bars->places(
            places.card.adjusted(kCardPadding, kCardPadding, -kCardPadding, -kCardPadding),
            m_style);
        if (!places.bars.rows.empty())
            places.card.setBottom(places.bars.rows.back().rect.bottom() + kCardPadding);
        return places;
    }
    if (hasNumbers(places.picture) || m_table.isEmpty() || m_parts.result.content.matrix().empty())
        return places;
    // In a short or narrow area, the table of large numbers replaces the line of numbers.
    const Places before = places;
    if (isLow || besideShare(inner.width(), gap) < m_style.scaled(kUsualTable))
        placeStrip(false);
    return placeTable(places, inner, gap, viewport) ? places : before;
}

} // namespace headlight::ui
