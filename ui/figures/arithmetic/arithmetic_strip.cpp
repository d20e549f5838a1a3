#include "ui/figures/arithmetic/arithmetic_strip.h"

#include "ui/figures/arithmetic/folded_line.h"
#include "ui/figures/base/card.h"
#include "ui/figures/base/spacing.h"

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr double kNumberSize = 13; // px, like the smallest numbers in the matrices

QFont monospace(const FigureStyle &style) {
    QFont font = style.monospace();
    font.setPixelSize(style.typeSize(kNumberSize));
    return font;
}

void paintNumbers(QPainter &painter, const QRectF &rect, const Spans &spans, const QFont &font) {
    const MonospaceWidths widths(font);
    double x = rect.left();
    for (const Span &span : spans) {
        const double width = widths.of(span);
        drawSpans(painter, QRectF(x, rect.top(), width + 4, rect.height()), {span}, font);
        x += width;
    }
}

constexpr double kMinShare = 0.62; // smallest factor by which enlarged text is reduced

/// Reduces the font so that `needed` px of text fit. Leaves it unchanged if the factor would be
/// below kMinShare or the size below that of the numbers.
QFont fitted(QFont font, double needed, double room, const FigureStyle &style) {
    if (needed <= room)
        return font;
    const double share = room / needed;
    if (share >= std::max(kMinShare, kNumberSize / font.pixelSize()))
        font.setPixelSize(std::max(
            {style.minText, static_cast<int>(kNumberSize), qFloor(font.pixelSize() * share)}));
    return font; // a line that does not fit is folded instead
}

} // namespace

double ArithmeticStrip::heightFor(const FigureStyle &style) {
    return lineHeight(style.font(FigureStyle::Text::Title)) + lineHeight(monospace(style)) +
           style.scaled(19);
}

double ArithmeticStrip::heightOfFormula(const FigureStyle &style) {
    return lineHeight(style.font(FigureStyle::Text::Title)) + style.scaled(14);
}

QRectF ArithmeticStrip::formulaIn(const QRectF &strip, const FigureStyle &style) const {
    const QRectF line = strip.adjusted(kCardPadding, 0, -kCardPadding, 0);
    if (arithmetic.isEmpty())
        return line;
    return {line.left(), strip.top() + style.scaled(6), line.width(),
            lineHeight(style.font(FigureStyle::Text::Title))};
}

QRectF ArithmeticStrip::numbersIn(const QRectF &strip, const FigureStyle &style) const {
    if (arithmetic.isEmpty())
        return {};
    const double height = lineHeight(monospace(style));
    return QRectF(strip.left() + kCardPadding, strip.bottom() - height - style.scaled(8),
                  strip.width() - 2 * kCardPadding, height);
}

QFont ArithmeticStrip::formulaFont(const QRectF &strip, const FigureStyle &style) const {
    const QFont font = style.font(FigureStyle::Text::Title);
    return fitted(font, spansWidth(formula, font), formulaIn(strip, style).width(), style);
}

QFont ArithmeticStrip::numbersFont(const QRectF &strip, const FigureStyle &style) const {
    const QFont font = monospace(style);
    return fitted(font, MonospaceWidths(font).of(arithmetic), numbersIn(strip, style).width(),
                  style);
}

Spans ArithmeticStrip::shownNumbers(const QRectF &strip, const FigureStyle &style) const {
    return foldedLine(arithmetic, numbersFont(strip, style), numbersIn(strip, style).width(),
                      style);
}

std::optional<core::NumberOrigin> ArithmeticStrip::originAt(double x, const QRectF &strip,
                                                            const FigureStyle &style) const {
    const MonospaceWidths widths(numbersFont(strip, style));
    double left = numbersIn(strip, style).left();
    for (const Span &span : shownNumbers(strip, style)) {
        const double width = widths.of(span);
        if (x >= left && x < left + width)
            return span.origin;
        left += width;
    }
    return std::nullopt;
}

void ArithmeticStrip::paint(QPainter &painter, const QRectF &strip,
                            const FigureStyle &style) const {
    paintCard(painter, strip.adjusted(0.5, 0.5, -0.5, -0.5), QPen(style.border, 1), 6, style);
    painter.setBrush(Qt::NoBrush);
    drawSpans(painter, formulaIn(strip, style), formula, formulaFont(strip, style));
    if (arithmetic.isEmpty())
        return;
    painter.save();
    const QRectF numbers = numbersIn(strip, style);
    painter.setClipRect(numbers.adjusted(0, -2, 0, 2), Qt::IntersectClip);
    paintNumbers(painter, numbers, shownNumbers(strip, style), numbersFont(strip, style));
    painter.restore();
}

} // namespace headlight::ui
