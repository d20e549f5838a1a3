#include "ui/figures/sentence/word_chip.h"

#include "ui/figures/text/text.h"

#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

/// Returns a rectangle with round corners on its free sides. It is straight where it joins another
/// one.
QPainterPath chipPath(const QRectF &rect, double radius, bool joinsLeft, bool joinsRight) {
    QPainterPath path;
    const double round = std::min({radius, rect.width() / 2, rect.height() / 2});
    const bool isNarrow = rect.width() <= 2 * round; // too narrow for round corners
    if (!joinsLeft && !joinsRight) {
        path.addRoundedRect(rect, radius, radius);
        return path;
    }
    if ((joinsLeft && joinsRight) || isNarrow) {
        path.addRect(rect);
        return path;
    }
    const double size = 2 * round;
    const QSizeF corner(size, size);
    if (joinsLeft) {
        path.moveTo(rect.topLeft());
        path.arcTo(QRectF(QPointF(rect.right() - size, rect.top()), corner), 90, -90);
        path.arcTo(QRectF(rect.bottomRight() - QPointF(size, size), corner), 0, -90);
        path.lineTo(rect.bottomLeft());
    } else {
        path.moveTo(rect.bottomRight());
        path.arcTo(QRectF(QPointF(rect.left(), rect.bottom() - size), corner), 270, -90);
        path.arcTo(QRectF(rect.topLeft(), corner), 180, -90);
        path.lineTo(rect.topRight());
    }
    path.closeSubpath();
    return path;
}

/// Returns the diagonal from the top left to the bottom right, without the parts outside the round
/// corners. This is several times faster than clipping.
QLineF diagonalOf(const WordChip &chip) {
    const QRectF &rect = chip.rect;
    QLineF line(rect.topLeft(), rect.bottomRight());
    const double radius = std::min({chip.radius, rect.width() / 2, rect.height() / 2});
    const double length = line.length();
    if (length <= 0)
        return line;
    // The line from the corner (0, 0) meets the circle around (radius, radius) at this distance.
    const double sum = (rect.width() + rect.height()) / length;
    const double outside = radius * (sum - std::sqrt(std::max(0.0, sum * sum - 1)));
    const QPointF by = (rect.bottomRight() - rect.topLeft()) / length * outside;
    if (!chip.joinsLeft)
        line.setP1(line.p1() + by);
    if (!chip.joinsRight)
        line.setP2(line.p2() - by);
    return line;
}

/// Adds joiners at the edges where an Arabic letter continues in the next part of the word. The
/// letter then has its connected form.
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

void paintWordChip(QPainter &painter, const StripWord &word, const WordChip &chip,
                   const FigureStyle &style) {
    const QRectF &rect = chip.rect;
    const QPainterPath path = chipPath(rect, chip.radius, chip.joinsLeft, chip.joinsRight);
    painter.fillPath(path, chip.fill);
    if (chip.isHidden) {
        painter.setPen(QPen(style.hiddenLine, 1, Qt::SolidLine, Qt::FlatCap));
        painter.drawLine(diagonalOf(chip));
    }
    if (chip.joinsLeft) { // a thin seam between the parts of a word
        painter.setPen(QPen(mixed(style.background, chip.fill, 0.7), 1));
        painter.drawLine(rect.topLeft() + QPointF(0, 1), rect.bottomLeft() - QPointF(0, 1));
    }
    if (word.isWritten) {
        const double bottom = rect.bottom() - style.scaled(2.5);
        painter.setPen(QPen(style.context, style.scaled(2)));
        painter.drawLine(QPointF(rect.left() + chip.padding, bottom),
                         QPointF(rect.right() - chip.padding, bottom));
    }
    // Adjacent parts of a word are aligned to their common edge.
    const Qt::Alignment side = chip.joinsLeft == chip.joinsRight ? Qt::AlignHCenter
                               : chip.joinsLeft                  ? Qt::AlignLeft
                                                                 : Qt::AlignRight;
    const double around = std::min(chip.padding, rect.width() / 8);
    const QRectF inner =
        rect.adjusted(chip.joinsLeft ? 1 : around, 0, chip.joinsRight ? -1 : -around, 0);
    const QString text = shaped(word.text, word.joins, chip.joinsNext);
    const double width = text == word.text ? chip.textWidth : -1;
    if (width < 0 || width > inner.width())
        return drawLine(painter, inner, side, text, chip.font, chip.text, Qt::ElideMiddle);
    const double spare = inner.width() - width;
    const double left = side & Qt::AlignRight ? spare : side & Qt::AlignHCenter ? spare / 2 : 0;
    drawFitting(painter, inner.translated(left, 0), text, chip.font, chip.text);
}

} // namespace headlight::ui
