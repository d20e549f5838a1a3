// WordsStrip: painting of the visible words.
#include "ui/figures/sentence/word_chip.h"
#include "ui/figures/text/text.h"
#include "ui/strip/words_strip.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kRadius = 6;
constexpr double kSliver = 12;      // px; a cut-off word with less of it visible is left out
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
    for (int line = first; line <= last; ++line) {
        const auto [begin, end] = layout.wordsOf(line);
        for (core::Index word = begin; word < end; ++word) {
            const QRectF &rect = layout.chips[static_cast<std::size_t>(word)].rect;
            const bool isCut = std::min(rect.right(), to) - std::max(rect.left(), from) <
                               std::min(kSliver, rect.width());
            if (m_room == StripRoom::Line && isCut && word != m_sentence.selected)
                continue;
            if (rect.right() + kOutline < seen.left() || rect.left() - kOutline > seen.right())
                continue;
            paintWord(painter, word, rect.translated(-offset()));
            paintNumber(painter, word, layout.number(word).translated(-offset()));
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
    paintWordChip(painter, content,
                  {.rect = rect,
                   .joinsLeft = chip.joinsLeft,
                   .joinsRight = chip.joinsRight,
                   .joinsNext = joinsNext,
                   .isHidden = isHidden,
                   .fill = colours.fill,
                   .text = colours.text,
                   .font = stripWordFont(m_style, m_sentence.selected == word),
                   .padding = m_layout.padding,
                   .radius = m_style.scaled(kRadius)},
                  m_style);
}

void WordsStrip::paintNumber(QPainter &painter, core::Index word, const QRectF &rect) const {
    if (m_sentence.weights.empty() || m_sentence.isHidden(word))
        return;
    const auto index = static_cast<std::size_t>(word);
    const float weight = m_sentence.weights[index];
    const bool isStrong = !isShownAsZero(weight) && std::abs(weight) >= m_sentence.share;
    const StripLayout::Chip &chip = m_layout.chips[index];
    QString text = weightText(weight);
    if ((chip.joinsLeft || chip.joinsRight) && text.startsWith(QLatin1String("0.")))
        text.remove(0, 1); // a part of a word is too narrow for "0."
    drawLine(painter, rect.adjusted(-m_style.scaled(4), 0, m_style.scaled(4), 0), Qt::AlignHCenter,
             text, stripNumberFont(m_style, isStrong && !m_isStale),
             isStrong && !m_isStale ? m_style.text : m_style.mutedText);
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
