// Layout of the words figure's cards. A row has as many cards as fit. Rows have equal heights, and
// corresponding parts are aligned across a row.
#include "ui/figures/base/spacing.h"
#include "ui/figures/text/wrapped_text.h"
#include "ui/figures/words/words_figure.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

using WordsText = FigureStyle::Text;

constexpr double kMinCard = 204;    // px, card width at the usual text size
constexpr double kUsualCell = 24;   // px, height
constexpr double kMinCell = 15;     // px, in a view
constexpr double kSmallestCell = 8; // px, in a file
constexpr core::Index kFewRows = 16;
constexpr std::size_t kMinCardsInFile = 3; // minimum number of cards in a row
constexpr double kMinShrink = 0.5;         // smallest scale in a file with too little space
constexpr double kPartAir = 10;            // px between the parts of a card
constexpr double kMaxSlantedLength = 58;   // px of slanted words

double labelHeight(const FigureStyle &style) {
    return lineHeight(style.font(WordsText::Label));
}

} // namespace

double WordsFigure::cardWidth(double inner, std::size_t columns) const {
    const auto count = static_cast<double>(columns);
    return std::floor((inner - (count - 1) * kFigureMargin) / count);
}

/// Returns how many columns fit. Uses fewer if this balances the rows.
std::size_t WordsFigure::columnsIn(double width) const {
    const double inner = width - 2 * kFigureMargin;
    const std::size_t count = std::max<std::size_t>(1, m_content.cards.size());
    std::size_t columns = count;
    while (columns > 1 && cardWidth(inner, columns) < m_style.scaled(kMinCard))
        --columns;
    const std::size_t rows = (count + columns - 1) / columns;
    return (count + rows - 1) / rows;
}

double WordsFigure::headHeight(double width) const {
    double height =
        lineHeight(m_style.font(WordsText::Title, true)) +
        static_cast<double>(m_content.sentences.size()) * lineHeight(m_style.font(WordsText::Body));
    if (!m_content.notice.isEmpty())
        height += 4 + wrappedHeight(m_content.notice, m_style.font(WordsText::Body),
                                    width - 2 * kFigureMargin);
    return std::ceil(height + kPartAir);
}

WordsFigure::Need WordsFigure::needOf(const HeatmapFigure &heatmap, double width) const {
    const HeatmapRequest request = heatmap.request(QRectF(0, 0, width, 1000));
    if (request.rows == 0)
        return {wrappedHeight(heatmap.content().absence, m_style.font(WordsText::Body), width) +
                    m_style.scaled(24),
                0};
    const double labels = heatmap.content().columnsAreTokens
                              ? std::min(request.columnLabelWidth * 0.75 + request.lineHeight,
                                         m_style.scaled(kMaxSlantedLength))
                              : request.lineHeight + 4;
    return {std::ceil(request.titleHeight + request.subtitleHeight + labels + 10), request.rows};
}

WordsFigure::RowNeed WordsFigure::needOf(std::size_t first, std::size_t end, double width) const {
    RowNeed need;
    double explanation = 0, bar = 0;
    for (std::size_t i = first; i < end; ++i) {
        const WordsCard &card = m_content.cards[i];
        explanation = std::max(
            explanation, wrappedHeight(card.explanation, m_style.font(WordsText::Label), width));
        if (!card.textsCaption.isEmpty())
            need.texts = kPartAir + 2 * labelHeight(m_style) + 4;
        if (hasBar(card))
            bar = labelHeight(m_style) + kPartAir;
        const auto take = [](Need &most, const Need &one) {
            most.beside = std::max(most.beside, one.beside);
            most.rows = std::max(most.rows, one.rows);
        };
        take(need.numbers, needOf(card.numbers, width));
        if (card.cosines)
            take(need.cosines, needOf(*card.cosines, width));
    }
    need.numbers.beside += bar;
    if (need.cosines.rows > 0)
        // Add the colour bar of the cosines, with a gap above and below.
        need.cosines.beside += kPartAir + labelHeight(m_style) + kPartAir;
    need.words = std::ceil(2 * kCardPadding + lineHeight(m_style.font(WordsText::Title, true)) +
                           explanation + kPartAir + need.texts);
    return need;
}

bool WordsFigure::isBeside(double inside) const {
    return m_content.cards.size() == 1 && m_content.cards.front().cosines &&
           inside >= 2 * m_style.scaled(kMinCard) + kFigureMargin;
}

double WordsFigure::matricesHeight(const RowNeed &need, double cell, bool beside) const {
    const double numbers = need.numbers.beside + static_cast<double>(need.numbers.rows) * cell;
    const double cosines = need.cosines.beside + static_cast<double>(need.cosines.rows) * cell;
    return beside ? std::max(numbers, cosines) : numbers + cosines;
}

double WordsFigure::neededHeight(double width, double cell) const {
    const std::size_t columns = columnsIn(width);
    const double inside = cardWidth(width - 2 * kFigureMargin, columns) - 2 * kCardPadding;
    double height = 2 * kFigureMargin + headHeight(width);
    for (std::size_t first = 0; first < m_content.cards.size(); first += columns) {
        const RowNeed need =
            needOf(first, std::min(first + columns, m_content.cards.size()), inside);
        height += need.words + matricesHeight(need, cell, isBeside(inside));
        height += first > 0 ? kFigureMargin : 0;
    }
    return std::ceil(height);
}

double WordsFigure::heightFor(double width) const {
    core::Index rows = 0;
    for (const WordsCard &card : m_content.cards)
        rows = std::max(rows, card.numbers.content().matrix().rows);
    const double cell = m_style.scaled(rows <= kFewRows ? kUsualCell : kMinCell);
    return std::max(neededHeight(width, cell), minimumSize().height());
}

/// Returns the width of a row of `cards` cards.
double WordsFigure::widthOf(std::size_t cards, double each) const {
    const auto count = static_cast<double>(cards);
    return 2 * kFigureMargin + count * m_style.scaled(each) + (count - 1) * kFigureMargin;
}

QSizeF WordsFigure::naturalSize() const {
    const double width = widthOf(std::max<std::size_t>(1, m_content.cards.size()), kMinCard + 36);
    return {width, heightFor(width)};
}

/// Returns the smallest size with three cards in a row at which nothing is scaled down.
QSizeF WordsFigure::tightSize() const {
    const double width = std::ceil(widthOf(kMinCardsInFile, kMinCard) + 1);
    return {width, std::max(m_style.scaled(200), neededHeight(width, kSmallestCell))};
}

QSizeF WordsFigure::minimumSize() const {
    const QSizeF tight = tightSize() * kMinShrink;
    return {std::ceil(tight.width()), std::ceil(tight.height())};
}

double WordsFigure::shrinkIn(const QSizeF &size) const {
    if (!m_content.nothing.isEmpty())
        return 1;
    for (double share = 1; share > kMinShrink; share -= 0.02) {
        const QSizeF whole = size / share;
        if (whole.width() >= widthOf(1, kMinCard) &&
            neededHeight(whole.width(), kSmallestCell) <= whole.height())
            return share;
    }
    return kMinShrink;
}

QSizeF WordsFigure::readableSize(const QSizeF &sight) const {
    if (!m_content.nothing.isEmpty())
        return sight;
    const double width = std::max(sight.width(), widthOf(1, kMinCard));
    const double cell = std::max(m_style.scaled(kMinCell), m_style.minRow);
    return {width, std::max(sight.height(), neededHeight(width, cell))};
}

HeatmapGeometry WordsFigure::placed(const HeatmapFigure &heatmap, const QRectF &available,
                                    bool hasBar) const {
    HeatmapRequest request = heatmap.request(available);
    request.maximumCell = m_style.scaled(56);
    request.colourBar = hasBar;
    request.rowLabelShare = 0.4;
    HeatmapGeometry geometry = HeatmapGeometry::of(request);
    geometry.setTextExtent(available.left(), available.right());
    return geometry;
}

WordsGeometry WordsFigure::geometry(const QRectF &area) const {
    WordsGeometry places;
    places.area = area;
    const QRectF inner =
        area.adjusted(kFigureMargin, kFigureMargin, -kFigureMargin, -kFigureMargin);
    double top = inner.top();
    const auto line = [&](double height) {
        const QRectF rect(inner.left(), top, inner.width(), height);
        top += height;
        return rect;
    };
    places.title = line(lineHeight(m_style.font(WordsText::Title, true)));
    if (!m_content.nothing.isEmpty())
        return places;
    for (qsizetype i = 0; i < m_content.sentences.size(); ++i)
        places.sentences.push_back(line(lineHeight(m_style.font(WordsText::Body))));
    if (!m_content.notice.isEmpty()) {
        top += 4;
        places.notice =
            line(wrappedHeight(m_content.notice, m_style.font(WordsText::Body), inner.width()));
    }
    top = inner.top() + headHeight(area.width());
    const std::size_t columns = columnsIn(area.width()), count = m_content.cards.size();
    const double width = cardWidth(inner.width(), columns);
    const double inside = width - 2 * kCardPadding;
    const bool beside = isBeside(inside);
    // Choose the cell height so that the cards fill the available height.
    double fixed = 0, cells = 0;
    for (std::size_t first = 0; first < count; first += columns) {
        const RowNeed need = needOf(first, std::min(first + columns, count), inside);
        fixed += need.words + matricesHeight(need, 0, beside) + (first > 0 ? kFigureMargin : 0);
        cells += static_cast<double>(beside ? std::max(need.numbers.rows, need.cosines.rows)
                                            : need.numbers.rows + need.cosines.rows);
    }
    double cell = (inner.bottom() - top - fixed) / std::max(1.0, cells);
    if (beside) { // the two matrices have different row counts and label heights
        const RowNeed need = needOf(0, count, inside);
        const auto fitting = [&](const Need &one) {
            return (inner.bottom() - top - need.words - one.beside) /
                   static_cast<double>(std::max<core::Index>(1, one.rows));
        };
        cell = std::min(fitting(need.numbers), fitting(need.cosines));
    }
    cell = std::clamp(cell, 1.0, m_style.scaled(40));
    for (std::size_t first = 0; first < count; first += columns) {
        const std::size_t end = std::min(first + columns, count);
        const RowNeed need = needOf(first, end, inside);
        const double numbers = need.numbers.beside + cell * static_cast<double>(need.numbers.rows);
        const double cosines = need.cosines.beside + cell * static_cast<double>(need.cosines.rows);
        const double height = std::floor(need.words + matricesHeight(need, cell, beside));
        for (std::size_t i = first; i < end; ++i) {
            const WordsCard &card = m_content.cards[i];
            WordsGeometry::Card made;
            made.rect =
                QRectF(inner.left() + static_cast<double>(i - first) * (width + kFigureMargin), top,
                       width, height);
            const QRectF within =
                made.rect.adjusted(kCardPadding, kCardPadding, -kCardPadding, -kCardPadding);
            made.title = QRectF(within.left(), within.top(), within.width(),
                                lineHeight(m_style.font(WordsText::Title, true)));
            const double explained =
                need.words - 2 * kCardPadding - made.title.height() - kPartAir - need.texts;
            made.explanation = QRectF(within.left(), made.title.bottom(), within.width(),
                                      std::max(0.0, explained));
            const double begin = made.explanation.bottom() + kPartAir;
            const double half = (within.width() - kFigureMargin) / 2;
            made.numbers = placed(
                card.numbers, QRectF(within.left(), begin, beside ? half : within.width(), numbers),
                hasBar(card));
            const double small = labelHeight(m_style);
            if (!card.textsCaption.isEmpty())
                made.textsCaption =
                    QRectF(within.left(), begin + numbers + kPartAir, within.width(), small);
            if (!card.texts.isEmpty())
                made.texts =
                    QRectF(within.left(), made.textsCaption.bottom(), within.width(), small + 4);
            if (card.cosines)
                made.cosines =
                    placed(*card.cosines,
                           beside ? QRectF(within.right() - half, begin, half, cosines - kPartAir)
                                  : QRectF(within.left(), begin + numbers + need.texts + kPartAir,
                                           within.width(), cosines - kPartAir),
                           true);
            places.cards.push_back(std::move(made));
        }
        top += height;
        places.bottom = top;
        top += kFigureMargin;
    }
    return places;
}

} // namespace headlight::ui
