// WordsStrip: painting of the visible words.
#include "ui/figures/sentence/word_chip.h"
#include "ui/figures/text/text.h"
#include "ui/strip/part_numbers.h"
#include "ui/strip/words_strip.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kRadius = 6;
constexpr double kSliver = 12;      // px; a cut-off word with less of it visible is left out
constexpr double kNumberGap = 2;    // px between the weights of two parts of a word
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
    // Leaves out a cut-off word if only a sliver of it is visible.
    const double from = moreAt(0).right() + offset().x();
    const double to = (moreAt(1).isEmpty() ? width() : moreAt(1).left()) + offset().x();
    const auto isShown = [&](core::Index word) {
        const QRectF &rect = layout.chips[static_cast<std::size_t>(word)].rect;
        const bool isCut = std::min(rect.right(), to) - std::max(rect.left(), from) <
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
    // Outlines last, because they extend over the neighbours.
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
    const bool isPart = content.joins || joinsNext; // as wide as its letters in the usual type
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

/// Paints the weights below the shown parts of one word, or below a whole word.
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
    // A number may extend into half of the gap to the next word. A single number is always shown.
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

void WordsStrip::paintMore(QPainter &painter) const {
    for (const int end : {0, 1}) {
        const QRectF place = moreAt(end);
        if (place.isEmpty())
            continue;
        painter.fillRect(place.adjusted(0, -4, 0, 4 + m_layout.numberHeight), m_style.background);
        painter.setPen(QPen(m_style.mutedText, 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        const double size = 0.12 * place.height(), way = end == 0 ? 1 : -1;
        const QPointF middle = place.center();
        painter.drawPolyline(
            QPolygonF({middle + QPointF(way * size / 2, -size), middle - QPointF(way * size / 2, 0),
                       middle + QPointF(way * size / 2, size)}));
    }
}

} // namespace headlight::ui
