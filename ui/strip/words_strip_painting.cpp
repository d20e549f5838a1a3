// WordsStrip: painting of the visible words, and of the arrows at the ends of a cut-off line.
#include "ui/figures/sentence/word_chip.h"
#include "ui/figures/text/text.h"
#include "ui/strip/part_numbers.h"
#include "ui/strip/words_strip.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kRadius = 6;
constexpr double kSliver = 12;         // px; a cut-off word that shows less than this is left out
constexpr double kNumberGap = 2;       // px between the weights of two parts of a word
constexpr double kMaxWordAtEnd = 0.25; // share of the width, at the end of a line
constexpr double kWordAtEndPadding = 5;
constexpr double kStaleChip = 0.45; // share of a colour that remains while the strip is out of date

struct ChipColours {
    QColor fill, text;
};

} // namespace

void WordsStrip::paintEvent(QPaintEvent *event) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.fillRect(event->rect(), m_style.background);
    const StripLayout &layout = layoutNow();
    const QRectF seen = QRectF(event->rect()).translated(offset());
    // Skips the lines above and below the visible part, and the words to its left and right.
    const int first = std::max(0, static_cast<int>(seen.top() / std::max(1.0, layout.lineStep)));
    const int last = std::min(layout.lines - 1,
                              static_cast<int>(seen.bottom() / std::max(1.0, layout.lineStep)));
    // Leaves out a cut-off word if only a sliver of it is visible, or if it is next to the repeated
    // word with the largest weight.
    const double from = moreAt(0).right() + offset().x();
    const double to = (moreAt(1).isEmpty() ? width() : moreAt(1).left()) + offset().x();
    const bool hasWordBefore = weightAtEnd(0).has_value(),
               hasWordAfter = weightAtEnd(1).has_value();
    const auto isShown = [&](core::Index word) {
        const QRectF &rect = layout.chips[static_cast<std::size_t>(word)].rect;
        const bool isNextToWord =
            (hasWordBefore && rect.left() < from) || (hasWordAfter && rect.right() > to);
        const bool isCut =
            isNextToWord || std::min(rect.right(), to) - std::max(rect.left(), from) <
                                std::min(kSliver, rect.width());
        return (m_room != StripRoom::Line || !isCut || word == m_sentence.selected) &&
               rect.right() + kOutline >= seen.left() && rect.left() - kOutline <= seen.right();
    };
    for (int line = first; line <= last; ++line) {
        const auto [begin, end] = layout.wordsOf(line);
        for (core::Index word = begin; word < end;) {
            const core::Index next = std::min(layout.endOfWord(word), end);
            std::vector<core::Index> parts;
            for (; word < next; ++word)
                if (isShown(word)) {
                    parts.push_back(word);
                    paintWord(
                        painter, word,
                        layout.chips[static_cast<std::size_t>(word)].rect.translated(-offset()));
                }
            paintNumbers(painter, std::move(parts));
        }
    }
    // Paints outlines last, because they extend over the neighbours.
    const auto outlined = [&](std::optional<core::Index> word, const QPen &pen, double grow) {
        if (!word)
            return;
        const StripLayout::Chip &chip = layout.chips[static_cast<std::size_t>(*word)];
        painter.setBrush(Qt::NoBrush);
        painter.setPen(pen);
        const double radius = m_style.scaled(kRadius) + grow;
        painter.drawRoundedRect(chip.rect.translated(-offset()).adjusted(-grow, -grow, grow, grow),
                                radius, radius);
    };
    if (m_hovered && m_hovered < wordCount())
        outlined(m_hovered, QPen(m_style.mutedText, 1), -0.5);
    if (m_sentence.pointed != m_sentence.selected) {
        outlined(m_sentence.pointed, QPen(m_style.surface, 4), 1);
        outlined(m_sentence.pointed, QPen(m_style.key, 2, Qt::DashLine), 1);
    }
    outlined(m_sentence.selected, QPen(m_style.surface, 2), 0);
    outlined(m_sentence.selected, QPen(m_style.selection, 2), 2);
    paintMore(painter);
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(QPen(faint(m_style.accent, m_style.background, 0.6), 1));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void WordsStrip::paintWord(QPainter &painter, core::Index word, const QRectF &rect) const {
    const auto index = static_cast<std::size_t>(word);
    const StripWord &content = m_sentence.text().words[index];
    const StripLayout::Chip &chip = m_layout.chips[index];
    const bool isHidden = m_sentence.isHidden(word);
    ChipColours colours{m_style.hidden, m_style.text};
    const bool hasWeight = !m_sentence.weights.empty() && !isHidden;
    if (hasWeight && !isShownAsZero(m_sentence.weights[index])) {
        colours.fill = wordTint(static_cast<double>(m_sentence.weights[index]), m_scale, m_style);
        colours.text = wantsDarkText(colours.fill.rgb()) ? QColor(Qt::black) : QColor(Qt::white);
    }
    if (isHidden || content.isPadding)
        colours.text = m_style.mutedText;
    if (m_isStale)
        colours = {mixed(colours.fill, m_style.background, kStaleChip), m_style.mutedText};
    const bool joinsNext =
        index + 1 < m_sentence.text().words.size() && m_sentence.text().words[index + 1].joins;
    const bool isPart = content.joins || joinsNext; // must be as wide as its letters, so not bold
    paintWordChip(painter, content,
                  {.rect = rect,
                   .joinsLeft = chip.joinsLeft,
                   .joinsRight = chip.joinsRight,
                   .joinsNext = joinsNext,
                   .isHidden = isHidden,
                   .fill = colours.fill,
                   .text = colours.text,
                   .font = stripWordFont(m_style, m_sentence.selected == word && !isPart, m_word),
                   .padding = m_layout.padding,
                   .radius = m_style.scaled(kRadius)},
                  m_style);
}

/// Paints the weights below the visible parts of one word, or below a whole word.
void WordsStrip::paintNumbers(QPainter &painter, std::vector<core::Index> parts) const {
    if (m_sentence.weights.empty())
        return;
    std::erase_if(parts, [this](core::Index part) { return m_sentence.isHidden(part); });
    const auto chipOf = [this](core::Index part) -> const StripLayout::Chip & {
        return m_layout.chips[static_cast<std::size_t>(part)];
    };
    std::ranges::sort(parts, {}, [&](core::Index part) { return chipOf(part).rect.left(); });
    std::vector<QString> texts;
    std::vector<QFont> fonts;
    std::vector<PartNumber> numbers;
    for (const core::Index part : parts) {
        const float weight = m_sentence.weights[static_cast<std::size_t>(part)];
        const bool isStrong = isStrongWeight(part);
        const StripLayout::Chip &chip = chipOf(part);
        QString text = weightText(weight);
        if ((chip.joinsLeft || chip.joinsRight) && text.startsWith(QLatin1String("0.")))
            text.remove(0, 1); // a part of a word is too narrow for "0."
        fonts.push_back(stripNumberFont(m_style, isStrong));
        // The selected weight comes first.
        const double importance = m_sentence.pointed == part ? HUGE_VAL : std::abs(double(weight));
        numbers.push_back(
            {chip.rect.left(), chip.rect.right(), textWidth(text, fonts.back()), importance});
        texts.push_back(std::move(text));
    }
    if (numbers.empty())
        return;
    // A number may extend into half of the gap to the next word. A single number is always shown,
    // even if it needs more.
    const double beyond = numbers.front().width - (numbers.front().right - numbers.front().left);
    const double beside =
        (numbers.size() == 1 ? std::max(m_layout.gap, beyond + 2) : m_layout.gap) / 2;
    const std::vector<std::optional<double>> centres =
        partNumberCentres(numbers, numbers.front().left - beside, numbers.back().right + beside,
                          m_style.scaled(kNumberGap));
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!centres[i])
            continue;
        QRectF place = m_layout.number(parts[i]).translated(-offset());
        const double half = numbers[i].width / 2 + 1;
        place.setLeft(*centres[i] - offset().x() - half);
        place.setRight(*centres[i] - offset().x() + half);
        drawLine(painter, place, Qt::AlignHCenter, texts[i], fonts[i],
                 isStrongWeight(parts[i]) ? m_style.text : m_style.mutedText);
    }
}

bool WordsStrip::isStrongWeight(core::Index word) const {
    const float weight = m_sentence.weights[static_cast<std::size_t>(word)];
    return !m_isStale && !isShownAsZero(weight) && std::abs(weight) >= m_sentence.share;
}

std::optional<core::Index> WordsStrip::largestWeight() const {
    std::optional<std::size_t> largest;
    const std::vector<float> &weights = m_sentence.weights;
    for (std::size_t i = 0; i < weights.size(); ++i)
        if (std::abs(weights[i]) > (largest ? std::abs(weights[*largest]) : 0))
            largest = i;
    return largest ? std::optional(static_cast<core::Index>(*largest)) : std::nullopt;
}

std::optional<core::Index> WordsStrip::furthestWeight(int end, QPointF scroll) const {
    const auto word = m_room == StripRoom::Line ? largestWeight() : std::nullopt;
    if (!word || word == m_sentence.selected || *word >= std::ssize(m_layout.chips) ||
        !isStrongWeight(*word))
        return std::nullopt;
    const double middle = m_layout.chips[static_cast<std::size_t>(*word)].rect.center().x();
    return (end == 0 ? middle < scroll.x() : middle > scroll.x() + sight().width()) ? word
                                                                                    : std::nullopt;
}

QRectF WordsStrip::moreAt(int end, QPointF scroll) const {
    if (m_room != StripRoom::Line)
        return {};
    const double beyond = m_layout.content.width() - sight().width();
    if (end == 0 ? scroll.x() <= 0 : scroll.x() >= beyond - 0.5)
        return {};
    double wide = std::round(kStripArrow * m_layout.chipHeight);
    if (const auto word = furthestWeight(end, scroll)) {
        const QString &text = m_sentence.text().words[static_cast<std::size_t>(*word)].text;
        const double padding = 2 * m_style.scaled(kWordAtEndPadding);
        wide += std::ceil(std::min(textWidth(text, stripNumberFont(m_style, true)) + padding,
                                   kMaxWordAtEnd * sight().width()));
    }
    return {end == 0 ? 0 : m_laidOutFor - wide, kOutline + m_layout.headroom, wide,
            m_layout.chipHeight};
}

std::optional<std::pair<core::Index, QRectF>> WordsStrip::weightAtEnd(int end) const {
    const auto word = furthestWeight(end, m_scroll);
    QRectF place = moreAt(end);
    if (!word || place.isEmpty())
        return std::nullopt;
    const double arrow = std::round(kStripArrow * m_layout.chipHeight);
    end == 0 ? place.setLeft(arrow) : place.setRight(place.right() - arrow);
    return std::pair(*word, place);
}

void WordsStrip::paintMore(QPainter &painter) const {
    for (const int end : {0, 1}) {
        QRectF place = moreAt(end);
        if (place.isEmpty())
            continue;
        painter.fillRect(place.adjusted(0, -4, 0, 4 + m_layout.numberHeight), m_style.background);
        if (const auto weight = weightAtEnd(end)) {
            const auto &[word, chip] = *weight;
            const auto index = static_cast<std::size_t>(word);
            const float number = m_sentence.weights[index];
            const QColor fill = wordTint(static_cast<double>(number), m_scale, m_style);
            const QFont font = stripNumberFont(m_style, true);
            painter.setPen(Qt::NoPen);
            painter.setBrush(fill);
            painter.drawRoundedRect(chip, m_style.scaled(kRadius), m_style.scaled(kRadius));
            drawLine(painter, chip.adjusted(2, 0, -2, 0), Qt::AlignHCenter,
                     m_sentence.text().words[index].text, font,
                     wantsDarkText(fill.rgb()) ? Qt::black : Qt::white);
            const QRectF below(chip.left(), chip.bottom() + 1, chip.width(),
                               m_layout.numberHeight - 1);
            drawLine(painter, below, Qt::AlignHCenter, weightText(number), font, m_style.text);
            end == 0 ? place.setRight(chip.left()) : place.setLeft(chip.right());
        }
        painter.setPen(QPen(m_style.mutedText, 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.setBrush(Qt::NoBrush);
        const double size = 0.12 * place.height(), way = end == 0 ? 1 : -1;
        const QPointF middle = place.center();
        painter.drawPolyline(
            QPolygonF({middle + QPointF(way * size / 2, -size), middle - QPointF(way * size / 2, 0),
                       middle + QPointF(way * size / 2, size)}));
    }
}

} // namespace headlight::ui
