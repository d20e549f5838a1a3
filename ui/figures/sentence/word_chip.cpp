#include "ui/figures/sentence/word_chip.h"

#include "ui/figures/text/text.h"

#include <QPainterPath>

#include <algorithm>

namespace headlight::ui {

namespace {

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

void paintWordChip(QPainter &painter, const StripWord &word, const WordChip &chip,
                   const FigureStyle &style) {
    const QRectF &rect = chip.rect;
    const QPainterPath path = chipPath(rect, chip.radius, chip.joinsLeft, chip.joinsRight);
    painter.fillPath(path, chip.fill);
    if (chip.isHidden) {
        painter.save();
        painter.setClipPath(path, Qt::IntersectClip);
        painter.setPen(QPen(style.hiddenLine, 1));
        painter.drawLine(rect.topLeft(), rect.bottomRight());
        painter.restore();
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
    // The parts of a word meet at their common edge.
    const Qt::Alignment side = chip.joinsLeft == chip.joinsRight ? Qt::AlignHCenter
                               : chip.joinsLeft                  ? Qt::AlignLeft
                                                                 : Qt::AlignRight;
    const double around = std::min(chip.padding, rect.width() / 8);
    const QRectF inner =
        rect.adjusted(chip.joinsLeft ? 1 : around, 0, chip.joinsRight ? -1 : -around, 0);
    drawLine(painter, inner, side, shaped(word.text, word.joins, chip.joinsNext), chip.font,
             chip.text, Qt::ElideMiddle);
}

} // namespace headlight::ui
