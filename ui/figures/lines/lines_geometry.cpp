#include "ui/figures/lines/lines_geometry.h"

#include "ui/figures/base/spacing.h"
#include "ui/figures/text/text.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kWidestToken = 170;   // px, before the text is enlarged
constexpr double kTokenAir = 5;        // px between a token's text and its lines
constexpr double kRowAir = 6;          // px added to a token's text height
constexpr double kMaxRowGrowth = 2.4;  // largest factor by which a row grows if there is space
constexpr double kWidestLines = 620;   // px between the columns
constexpr double kNarrowestLines = 90; // px
constexpr double kTallestLines = 460;  // px between the rows
constexpr double kShortestLines = 120; // px
constexpr double kTokenGap = 3;        // px between tokens in rows
constexpr double kMaxStretch = 2.2;    // largest factor by which tokens in rows are widened
constexpr double kHeadsSpread = 0.7;   // share of a token's side that the lines of all heads take
constexpr double kMaxBetweenHeads = 7; // px between the lines of two heads
const QString kWidestWeight = QStringLiteral("0.00 ");

double rowHeight(const FigureStyle &style) {
    return std::ceil(lineHeight(lineTokenFont(style, true)) + style.scaled(kRowAir));
}

core::Index numbersShown(const LinesContent &content) {
    return std::clamp<core::Index>(std::ssize(content.heads), 1, kMaxNumbers);
}

double numberHeight(const FigureStyle &style) {
    return std::ceil(lineHeight(lineNumberFont(style)));
}

/// Returns the height of the titles, from the figure's top to the first token.
double headHeight(const LinesContent &content, const FigureStyle &style) {
    const double small = lineHeight(style.font(FigureStyle::Text::Label));
    const double legend = content.heads.size() > 1 ? small + 4 : 0;
    return std::ceil(kFigureMargin + lineHeight(style.font(FigureStyle::Text::Title, true)) + 2 +
                     small + legend + style.scaled(12));
}

/// Returns the height of everything except the lines if the tokens are in two rows.
double acrossExtra(const LinesContent &content, const FigureStyle &style) {
    const double numbers = static_cast<double>(numbersShown(content)) * numberHeight(style);
    const double titles = 2 * (lineHeight(style.font(FigureStyle::Text::Label)) + 4);
    return 2 * (rowHeight(style) + numbers) + titles;
}

double rowLength(const std::vector<double> &widths) {
    double length = 0;
    for (const double width : widths)
        length += width + kTokenGap;
    return length;
}

void placeColumns(LinesGeometry &places, const LinesContent &content, const LinesMeasures &measures,
                  const FigureStyle &style, double top) {
    const QRectF inner =
        places.area.adjusted(kFigureMargin, kFigureMargin, -kFigureMargin, -kFigureMargin);
    const double air = style.scaled(kTokenAir);
    const double titleHeight = lineHeight(style.font(FigureStyle::Text::Label)) + 4;
    const auto count = static_cast<double>(
        std::max<core::Index>({1, content.queries.size(), content.keys.size()}));
    const double row = rowHeight(style);
    const double room = std::max(1.0, inner.bottom() - top - titleHeight);
    places.step = std::min(room / count, kMaxRowGrowth * row);
    places.labelStep = std::max<core::Index>(
        1, static_cast<core::Index>(std::ceil((row - style.scaled(kRowAir)) / places.step - 0.01)));
    places.numberWidth = static_cast<double>(numbersShown(content)) *
                             textWidth(kWidestWeight, lineNumberFont(style)) +
                         air;
    const double least = style.scaled(kNarrowestLines);
    // Elide long tokens before the lines have too little space.
    const double forTokens =
        std::max(2 * style.scaled(24), inner.width() - least - 4 * air - 2 * places.numberWidth);
    const double share =
        std::min(1.0, forTokens / std::max(1.0, measures.queryWidth + measures.keyWidth));
    const double queryWidth = std::floor(measures.queryWidth * share);
    const double keyWidth = std::floor(measures.keyWidth * share);
    const double beside = queryWidth + keyWidth + 4 * air + 2 * places.numberWidth;
    const double lines = std::clamp(inner.width() - beside, std::min(least, inner.width() / 4),
                                    style.scaled(kWidestLines));
    const double left =
        inner.left() + std::max(0.0, std::floor((inner.width() - beside - lines) / 2));
    const double queryLeft = left + places.numberWidth;
    const double linesLeft = queryLeft + queryWidth + 2 * air;
    const double keyLeft = linesLeft + lines + 2 * air;
    top += titleHeight;
    places.lines = QRectF(linesLeft, top, lines, places.step * count);
    places.queryTitle = QRectF(inner.left(), top - titleHeight,
                               queryLeft + queryWidth - inner.left(), titleHeight - 4);
    places.keyTitle = QRectF(keyLeft, top - titleHeight, inner.right() - keyLeft, titleHeight - 4);
    const auto put = [&](std::vector<QRectF> &tokens, core::Index size, double x, double width) {
        for (core::Index i = 0; i < size; ++i)
            tokens.emplace_back(x, top + static_cast<double>(i) * places.step, width, places.step);
    };
    put(places.queries, content.queries.size(), queryLeft, queryWidth);
    put(places.keys, content.keys.size(), keyLeft, keyWidth);
}

void placeRows(LinesGeometry &places, const LinesContent &content, const LinesMeasures &measures,
               const FigureStyle &style, double top) {
    const QRectF inner =
        places.area.adjusted(kFigureMargin, kFigureMargin, -kFigureMargin, -kFigureMargin);
    const double titleHeight = lineHeight(style.font(FigureStyle::Text::Label)) + 4;
    const double numbers = static_cast<double>(numbersShown(content)) * numberHeight(style);
    const double row = rowHeight(style);
    const double lines = std::clamp(inner.bottom() - top - acrossExtra(content, style),
                                    std::min(style.scaled(kShortestLines), inner.height() / 3),
                                    style.scaled(kTallestLines));
    const double longest =
        std::max({1.0, rowLength(measures.queryWidths), rowLength(measures.keyWidths)});
    // Narrow the tokens if a file is too small. Widen them if there is free space.
    const double squeeze = std::min(kMaxStretch, inner.width() / longest);
    places.labelStep = squeeze < 0.7 ? static_cast<core::Index>(std::ceil(1 / squeeze)) : 1;
    const double left =
        inner.left() + std::max(0.0, std::floor((inner.width() - longest * squeeze) / 2));
    places.queryTitle = QRectF(left, top, inner.right() - left, titleHeight - 4);
    const double queryTop = top + titleHeight + numbers;
    places.lines = QRectF(left, queryTop + row, longest * squeeze, lines);
    const double keyTop = places.lines.bottom();
    places.keyTitle =
        QRectF(left, keyTop + row + numbers + 4, inner.right() - left, titleHeight - 4);
    places.numberWidth = numbers;
    const auto put = [&](std::vector<QRectF> &tokens, const std::vector<double> &widths, double y) {
        double x = left;
        for (const double width : widths) {
            tokens.emplace_back(x, y, width * squeeze, row);
            x += (width + kTokenGap) * squeeze;
        }
    };
    put(places.queries, measures.queryWidths, queryTop);
    put(places.keys, measures.keyWidths, keyTop);
}

} // namespace

QFont lineTokenFont(const FigureStyle &style, bool bold) {
    return style.font(FigureStyle::Text::Body, bold);
}

QFont lineNumberFont(const FigureStyle &style) {
    return style.font(FigureStyle::Text::Label, true);
}

LinesMeasures LinesMeasures::of(const LinesContent &content, const FigureStyle &style) {
    const QFont font = lineTokenFont(style, true); // bold, like a pinned token
    const double widest = style.scaled(kWidestToken);
    QHash<QString, double> known; // cached, because words repeat in a long text
    const auto widthOf = [&](const QString &token) {
        auto width = known.constFind(token);
        if (width == known.constEnd())
            width = known.insert(token, std::min(widest, std::ceil(textWidth(token, font)) + 2));
        return *width;
    };
    LinesMeasures measures;
    const double minInRows = std::ceil(textWidth(QStringLiteral(".00"), lineNumberFont(style))) + 1;
    for (const LineToken::Side side : {LineToken::Side::Query, LineToken::Side::Key}) {
        const bool isQuery = side == LineToken::Side::Query;
        double &most = isQuery ? measures.queryWidth : measures.keyWidth;
        std::vector<double> &widths = isQuery ? measures.queryWidths : measures.keyWidths;
        for (const QString &token : content.tokens(side)) {
            const double width = widthOf(token);
            most = std::max(most, width);
            if (content.isAcross)
                widths.push_back(std::max(minInRows, width + style.scaled(kTokenAir)));
        }
    }
    return measures;
}

LinesGeometry linesGeometryOf(const LinesContent &content, const LinesMeasures &measures,
                              const FigureStyle &style, const QRectF &area) {
    LinesGeometry places;
    places.area = area;
    places.isAcross = content.isAcross;
    const double small = lineHeight(style.font(FigureStyle::Text::Label));
    const double width = area.width() - 2 * kFigureMargin;
    places.title = QRectF(area.left() + kFigureMargin, area.top() + kFigureMargin, width,
                          lineHeight(style.font(FigureStyle::Text::Title, true)));
    places.subtitle = QRectF(places.title.left(), places.title.bottom() + 2, width, small);
    if (content.heads.size() > 1)
        places.legend = QRectF(places.title.left(), places.subtitle.bottom() + 4, width, small);
    const double top = area.top() + headHeight(content, style);
    if (!content.nothing.isEmpty())
        return places;
    if (content.isAcross)
        placeRows(places, content, measures, style, top);
    else
        placeColumns(places, content, measures, style, top);
    if (const auto heads = static_cast<double>(content.heads.size()); heads > 1) {
        const double token = content.isAcross ? style.scaled(20) : places.step;
        places.headStep = std::min(kHeadsSpread * token / heads, style.scaled(kMaxBetweenHeads));
        places.firstHead = -places.headStep * (heads - 1) / 2;
    }
    return places;
}

QSizeF linesReadableSize(const LinesContent &content, const LinesMeasures &measures,
                         const FigureStyle &style, const QSizeF &sight) {
    if (!content.nothing.isEmpty())
        return sight;
    const double head = headHeight(content, style) + kFigureMargin;
    if (content.isAcross)
        return sight.expandedTo(
            {std::ceil(std::max(rowLength(measures.queryWidths), rowLength(measures.keyWidths)) +
                       2 * kFigureMargin),
             std::ceil(head + acrossExtra(content, style) + style.scaled(kShortestLines))});
    const auto count = static_cast<double>(std::max(content.queries.size(), content.keys.size()));
    const double titles = lineHeight(style.font(FigureStyle::Text::Label)) + 4;
    return sight.expandedTo(
        {style.scaled(300), std::ceil(head + titles + count * rowHeight(style))});
}

QRectF LinesGeometry::numbers(LineToken token) const {
    const QRectF rect = this->token(token);
    const bool isQuery = token.side == LineToken::Side::Query;
    if (isAcross)
        return isQuery ? QRectF(rect.left(), rect.top() - numberWidth, rect.width(), numberWidth)
                       : QRectF(rect.left(), rect.bottom(), rect.width(), numberWidth);
    return isQuery ? QRectF(rect.left() - numberWidth, rect.top(), numberWidth - 4, rect.height())
                   : QRectF(rect.right() + 4, rect.top(), numberWidth - 4, rect.height());
}

QLineF LinesGeometry::line(core::Index query, core::Index key, std::size_t rank) const {
    const double beside = firstHead + static_cast<double>(rank) * headStep;
    const QPointF from =
        queries[static_cast<std::size_t>(query)].center() + QPointF(beside, beside);
    const QPointF to = keys[static_cast<std::size_t>(key)].center() + QPointF(beside, beside);
    return isAcross ? QLineF(from.x(), lines.top(), to.x(), lines.bottom())
                    : QLineF(lines.left(), from.y(), lines.right(), to.y());
}

std::pair<core::Index, core::Index> LinesGeometry::tokensIn(LineToken::Side side,
                                                            const QRectF &sight) const {
    const std::vector<QRectF> &all = tokens(side);
    const auto end = [&](const QRectF &rect) { return isAcross ? rect.right() : rect.bottom(); };
    const auto begin = [&](const QRectF &rect) { return isAcross ? rect.left() : rect.top(); };
    const auto first = std::ranges::upper_bound(all, begin(sight), {}, end);
    const auto last = std::ranges::lower_bound(all, end(sight), {}, begin);
    return {first - all.begin(), std::max(first, last) - all.begin()};
}

std::optional<LineToken> LinesGeometry::tokenAt(QPointF point) const {
    for (const LineToken::Side side : {LineToken::Side::Query, LineToken::Side::Key}) {
        const QRectF at(point, QSizeF(0.01, 0.01));
        const auto [first, end] = tokensIn(side, at);
        for (core::Index i = first; i < end; ++i) {
            const LineToken token{side, i};
            if (this->token(token).united(numbers(token)).contains(point))
                return token;
        }
    }
    return std::nullopt;
}

} // namespace headlight::ui
