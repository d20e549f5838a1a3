#include "ui/figures/birth/birth_geometry.h"

#include "ui/figures/base/spacing.h"
#include "ui/figures/text/text.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

using BirthType = FigureStyle::Text;

constexpr double kBirthGap = 12;    // px between the parts
constexpr double kEarlierSize = 64; // px, largest small picture
constexpr double kMinEarlier = 20;  // px, smallest small picture
constexpr double kEarlierGap = 5;   // px between small pictures
constexpr std::size_t kUsualEarlier = 4;
constexpr double kChipPadding = 10;  // px
constexpr double kChipGap = 8;       // px between chips, and between a token and its answer
constexpr double kCloseMarks = 100;  // px between the lines of two marks
constexpr double kMarkGap = 6;       // px between a mark's line and its words
constexpr double kWidestCard = 1.45; // width of a head's card ÷ its height

double curveHeight(double height, const FigureStyle &style) {
    return std::clamp(0.3 * height, style.scaled(120), style.scaled(190));
}

double chipHeight(const FigureStyle &style) {
    return lineHeight(answerFont(style)) + 2 * kChipPadding;
}

/// Places the small pictures in a column at the right end of the card.
void placeEarlier(BirthHeadPlace &place, const BirthHead &head, const QRectF &column,
                  const FigureStyle &style) {
    const double caption = lineHeight(style.font(BirthType::Label));
    const auto heightOf = [&](std::size_t count) {
        return (column.height() + kEarlierGap) / static_cast<double>(count) - caption - kEarlierGap;
    };
    std::size_t count = head.earlier.size();
    while (count > 1 && heightOf(count) < style.scaled(kMinEarlier))
        --count;
    if (count == 0 || heightOf(count) < style.scaled(kMinEarlier))
        return;
    // Use the size for kUsualEarlier pictures, so that the pictures do not shrink as more are
    // added.
    const double usual = heightOf(std::max(count, kUsualEarlier));
    const double size =
        std::min(usual < style.scaled(kMinEarlier) ? heightOf(count) : usual, column.width());
    double top = column.top();
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t shown = i == 0 ? 0 : head.earlier.size() - count + i;
        const QRectF square(column.left(), top, column.width(), size);
        const HeatmapGeometry picture = plainCells(head.earlier[shown].content, square);
        place.earlier.push_back(
            {shown, picture,
             QRectF(column.left(), picture.cells.bottom() + 1, column.width(), caption)});
        top = place.earlier.back().caption.bottom() + kEarlierGap;
    }
}

BirthHeadPlace headPlace(const BirthHead &head, const QRectF &card, const FigureStyle &style) {
    BirthHeadPlace place;
    place.card = card;
    const QRectF inner = card.adjusted(kCardPadding, kCardPadding, -kCardPadding, -kCardPadding);
    const double caption = textWidth(QStringLiteral("step 0000"), style.font(BirthType::Label));
    const double column = std::max(style.scaled(kEarlierSize), caption);
    const QRectF left = inner.adjusted(0, 0, -column - kCardPadding, 0);
    HeatmapRequest request = HeatmapFigure(head.content, style).request(left);
    request.colourBar = false;
    request.rowAxis = request.columnAxis = false;
    request.maximumCell = style.scaled(64);
    place.large = HeatmapGeometry::of(request);
    // Tilted labels extend beyond the right end of the cells, above the column of small pictures.
    // How far depends on the cell size, so a second round corrects the first.
    for (int round = 0; round < 2; ++round) {
        const double missing = left.right() - place.large.cells.right();
        request.area.setRight(std::min(request.area.right() + missing, inner.right()));
        place.large = HeatmapGeometry::of(request);
    }
    place.large.setTextExtent(inner.left(), inner.right());
    const double right = std::min(place.large.cells.right() + kCardPadding, inner.right() - column);
    placeEarlier(
        place, head,
        QRectF(QPointF(right, place.large.cells.top()), QPointF(right + column, inner.bottom())),
        style);
    return place;
}

} // namespace

QFont answerFont(const FigureStyle &style, bool bold) {
    QFont font = style.font(BirthType::Body, bold);
    font.setPixelSize(style.typeSize(15));
    return font;
}

HeatmapGeometry plainCells(const HeatmapContent &content, const QRectF &area) {
    const core::SharedMatrix matrix = content.matrix();
    HeatmapGeometry geometry;
    geometry.rows = matrix.rows;
    geometry.columns = matrix.columns;
    const double rows = std::max<double>(1, static_cast<double>(matrix.rows));
    const double columns = std::max<double>(1, static_cast<double>(matrix.columns));
    double cell = std::min(area.width() / columns, area.height() / rows);
    if (cell > 4)
        cell = std::floor(cell * 4) / 4;
    geometry.cell = {cell, cell};
    geometry.cells = QRectF(area.topLeft(), QSizeF(cell * columns, cell * rows));
    geometry.area = area;
    return geometry;
}

std::vector<BirthChip> chipPlaces(const std::vector<BirthAnswer> &answers, const QRectF &row,
                                  const FigureStyle &style, std::size_t &first) {
    std::vector<BirthChip> chips;
    double width = -kChipGap;
    for (const BirthAnswer &answer : answers) {
        BirthChip chip;
        chip.tokenWidth = std::ceil(textWidth(answer.token, answerFont(style)));
        chip.givenWidth = std::ceil(textWidth(answer.given, answerFont(style, true))) + 1;
        const double between = answer.token.isEmpty() ? 0 : kChipGap;
        chip.rect =
            QRectF(0, row.top(), 2 * kChipPadding + chip.tokenWidth + between + chip.givenWidth,
                   row.height());
        width += chip.rect.width() + kChipGap;
        chips.push_back(chip);
    }
    first = 0;
    while (first + 1 < chips.size() && width > row.width())
        width -= chips[first++].rect.width() + kChipGap;
    chips.erase(chips.begin(), chips.begin() + static_cast<std::ptrdiff_t>(first));
    double left = row.left();
    for (BirthChip &chip : chips) {
        chip.rect.moveLeft(left);
        chip.rect.setRight(std::min(chip.rect.right(), std::max(left + 1, row.right())));
        chip.token = {left + kChipPadding, row.top()};
        chip.given = {chip.rect.right() - kChipPadding - chip.givenWidth, row.top()};
        left = chip.rect.right() + kChipGap;
    }
    return chips;
}

std::vector<BirthMarkPlace> markPlaces(const std::vector<BirthMark> &marks,
                                       const CurvePlotGeometry &curve, const FigureStyle &style) {
    const QFont font = style.font(BirthType::Label, true);
    const double line = lineHeight(font);
    double top = curve.plot.top();
    for (const CurvePlotGeometry::LevelLine &level :
         curve.levels) // to avoid covering the label of the guessing level
        top = std::max({top, level.y + 2, level.label.isNull() ? 0 : level.label.bottom()});
    std::vector<BirthMarkPlace> places;
    for (const BirthMark &mark : marks)
        places.push_back({curve.at({mark.step, curve.low}).x(), {}});
    for (std::size_t i = 0; i < places.size(); ++i) {
        const double width = std::ceil(textWidth(marks[i].words, font)) + 2;
        // Place the label outside the lines of all close marks, so that it crosses none of them.
        double from = places[i].x, until = places[i].x;
        for (const BirthMarkPlace &other : places) {
            if (std::abs(other.x - places[i].x) > kCloseMarks)
                continue;
            from = std::min(from, other.x);
            until = std::max(until, other.x);
        }
        if (curve.now > from && curve.now - places[i].x <= kCloseMarks)
            until = std::max(until, curve.now);
        const bool isRight = until + kMarkGap + width <= curve.plot.right();
        const double right = isRight ? until + kMarkGap + width : from - kMarkGap;
        const double left = std::max(curve.plot.left(), right - width);
        // Labels whose row would be below the plot all use its last row.
        const double y = std::min(top + line * static_cast<double>(i), curve.plot.bottom() - line);
        places[i].label = QRectF(QPointF(left, y), QPointF(std::max(left, right), y + line));
    }
    return places;
}

BirthGeometry birthGeometry(const BirthContent &content, const FigureStyle &style,
                            const QRectF &area, double leftRoom) {
    BirthGeometry places;
    places.area = area;
    const QRectF inner =
        area.adjusted(kFigureMargin + leftRoom, kFigureMargin, -kFigureMargin, -kFigureMargin);
    const double curve = curveHeight(inner.height(), style);
    const double chips = chipHeight(style);
    const double heads = std::max(1.0, inner.height() - curve - chips - 2 * kBirthGap);
    const double count = std::max<double>(1, static_cast<double>(content.heads.size()));
    const double wide = std::min((inner.width() - (count - 1) * kBirthGap) / count,
                                 std::max(kWidestCard * heads, style.scaled(280)));
    double left = inner.left();
    for (const BirthHead &head : content.heads) {
        places.heads.push_back(headPlace(head, QRectF(left, inner.top(), wide, heads), style));
        left += wide + kBirthGap;
    }
    const double top = inner.top() + heads + kBirthGap;
    const double title =
        std::ceil(textWidth(content.answersTitle, style.font(BirthType::Body))) + kBirthGap;
    places.answersTitle = QRectF(inner.left(), top, title, chips);
    places.chips =
        chipPlaces(content.answers,
                   QRectF(inner.left() + title, top, std::max(1.0, inner.width() - title), chips),
                   style, places.firstChip);
    if (content.curves.plots.empty())
        return places;
    places.curve =
        curvePlotGeometry(content.curves, content.curves.plots.front(), style,
                          QRectF(inner.left(), inner.bottom() - curve, inner.width(), curve));
    places.marks = markPlaces(content.marks, places.curve, style);
    return places;
}

} // namespace headlight::ui
