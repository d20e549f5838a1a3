// WordsStrip: painting of the visible words.
#include "ui/figures/text/text.h"
#include "ui/strip/words_strip.h"

#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kRadius = 6;
constexpr double kSliver = 12;      // px of a word that is cut at the end of the line
constexpr double kStaleChip = 0.45; // share of a colour that is left while it is out of date

struct ChipColours {
    QColor fill, text;
};

/// Returns a rectangle that is round at its free sides and straight where it joins another one.
QPainterPath chipPath(const QRectF &rect, double radius, bool joinsLeft, bool joinsRight) {
    QPainterPath path;
    path.setFillRule(Qt::WindingFill);
    path.addRoundedRect(rect, radius, radius);
    const double side = std::min(2 * radius, rect.width());
    if (joinsLeft)
        path.addRect(QRectF(rect.topLeft(), QSizeF(side, rect.height())));
    if (joinsRight)
        path.addRect(QRectF(rect.right() - side, rect.top(), side, rect.height()));
    return path.simplified();
}

/// Adds joiners at the edges where an Arabic letter continues in the next word part, so that the
/// letter has its connected form.
QString shaped(const QString &text, bool joinsBefore, bool joinsAfter) {
    const bool connects = std::ranges::any_of(text, [](QChar c) {
        return c.script() == QChar::Script_Arabic || c.script() == QChar::Script_Syriac ||
               c.script() == QChar::Script_Mongolian;
    });
    if (!connects)
        return text;
    const QString joiner(QChar(0x200D));
    return (joinsBefore ? joiner : QString()) + text + (joinsAfter ? joiner : QString());
}

} // namespace

void WordsStrip::paintEvent(QPaintEvent *event) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.fillRect(event->rect(), m_style.background);
    const StripLayout &layout = layoutNow();
    const QRectF seen = QRectF(event->rect()).translated(offset());
    // Lines above and below are not painted, nor are words beside the visible part.
    const int first = std::max(0, static_cast<int>(seen.top() / std::max(1.0, layout.lineStep)));
    const int last = std::min(layout.lines - 1,
                              static_cast<int>(seen.bottom() / std::max(1.0, layout.lineStep)));
    // Leaves out a word if only a sliver of it is visible.
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
    const QPainterPath path =
        chipPath(rect, m_style.scaled(kRadius), chip.joinsLeft, chip.joinsRight);
    painter.fillPath(path, colours.fill);
    if (isHidden) {
        painter.save();
        painter.setClipPath(path, Qt::IntersectClip);
        painter.setPen(QPen(m_style.hiddenLine, 1));
        painter.drawLine(rect.topLeft(), rect.bottomRight());
        painter.restore();
    }
    if (chip.joinsLeft) { // a thin seam between the parts of a word
        painter.setPen(QPen(mixed(m_style.background, colours.fill, 0.7), 1));
        painter.drawLine(rect.topLeft() + QPointF(0, 1), rect.bottomLeft() - QPointF(0, 1));
    }
    if (content.isWritten) {
        const double bottom = rect.bottom() - m_style.scaled(2.5);
        painter.setPen(QPen(m_style.context, m_style.scaled(2)));
        painter.drawLine(QPointF(rect.left() + m_layout.padding, bottom),
                         QPointF(rect.right() - m_layout.padding, bottom));
    }
    // The parts of a word meet at their common edge.
    const Qt::Alignment side = chip.joinsLeft == chip.joinsRight ? Qt::AlignHCenter
                               : chip.joinsLeft                  ? Qt::AlignLeft
                                                                 : Qt::AlignRight;
    const double around = m_layout.padding;
    const QRectF inner =
        rect.adjusted(chip.joinsLeft ? 1 : std::min(around, rect.width() / 8), 0,
                      chip.joinsRight ? -1 : -std::min(around, rect.width() / 8), 0);
    const bool joinsNext =
        index + 1 < m_sentence.text().words.size() && m_sentence.text().words[index + 1].joins;
    drawLine(painter, inner, side, shaped(content.text, content.joins, joinsNext),
             stripWordFont(m_style, m_sentence.selected == word), colours.text, Qt::ElideMiddle);
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
        text.remove(0, 1); // a part of a word is narrow
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
