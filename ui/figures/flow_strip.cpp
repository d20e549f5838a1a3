#include "ui/figures/flow_strip.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kPadding = 14;

/// Widths in a monospaced font are counted, not measured: a row has thousands of numbers. What is
/// not a digit or a sign (a word of the text) is measured.
class MonospaceWidths {
  public:
    explicit MonospaceWidths(const QFont &font)
        : m_font(font), m_advance(QFontMetricsF(font).horizontalAdvance(QLatin1Char('0'))) {
        for (const QChar sign : {QChar(0x2212), QChar(0x00B7)})
            m_countsSigns = m_countsSigns && std::abs(QFontMetricsF(font).horizontalAdvance(sign) -
                                                      m_advance) < 0.01;
    }
    double of(const Span &span) const {
        if (!span.bold && span.place == Span::Place::Line && isCounted(span.text))
            return m_advance * static_cast<double>(span.text.size());
        return spansWidth({span}, m_font);
    }

  private:
    bool isCounted(const QString &text) const {
        return std::all_of(text.begin(), text.end(), [this](QChar c) {
            return c.unicode() < 0x7F ||
                   (m_countsSigns && (c.unicode() == 0x2212 || c.unicode() == 0x00B7));
        });
    }
    QFont m_font;
    double m_advance;
    bool m_countsSigns = true;
};

void paintNumbers(QPainter &painter, const QRectF &rect, const Spans &spans, const QFont &font,
                  const FigureStyle &style, std::optional<double> scroll) {
    const MonospaceWidths widths(font);
    const Span ellipsis{QStringLiteral("…"), style.mutedText, false, Span::Place::Line};
    const double end = rect.right() - (scroll ? 0 : widths.of(ellipsis));
    double x = rect.left() - scroll.value_or(0);
    for (qsizetype i = 0; i < spans.size(); ++i) {
        const double width = widths.of(spans[i]);
        const bool cut =
            !scroll && x + width > end && (i + 1 < spans.size() || x + width > rect.right());
        if (cut)
            return drawSpans(painter, QRectF(x, rect.top(), rect.right() - x, rect.height()),
                             {ellipsis}, font);
        if (x > rect.right())
            return;
        if (x + width > rect.left())
            drawSpans(painter, QRectF(x, rect.top(), width + 4, rect.height()), {spans[i]}, font);
        x += width;
    }
}

} // namespace

double FlowStrip::heightFor(const FigureStyle &style) {
    return lineHeight(style.font(FigureStyle::Text::Title)) + lineHeight(style.monospace()) +
           style.scaled(20);
}

QRectF FlowStrip::numbersIn(const QRectF &strip, const FigureStyle &style) const {
    if (arithmetic.isEmpty())
        return {};
    const double height = lineHeight(style.monospace());
    return QRectF(strip.left() + kPadding, strip.bottom() - height - style.scaled(8),
                  strip.width() - 2 * kPadding, height);
}

double FlowStrip::length(const FigureStyle &style) const {
    const MonospaceWidths widths(style.monospace());
    double length = 0;
    for (const Span &span : arithmetic)
        length += widths.of(span);
    return length;
}

void FlowStrip::paint(QPainter &painter, const QRectF &strip, const FigureStyle &style,
                      std::optional<double> scroll) const {
    painter.setPen(QPen(style.border, 1));
    painter.setBrush(style.surface);
    painter.drawRoundedRect(strip.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    painter.setBrush(Qt::NoBrush);
    const QFont title = style.font(FigureStyle::Text::Title);
    QRectF line = strip.adjusted(kPadding, 0, -kPadding, 0);
    if (!arithmetic.isEmpty())
        line = QRectF(line.left(), strip.top() + style.scaled(6), line.width(), lineHeight(title));
    drawSpans(painter, line, formula, title);
    if (arithmetic.isEmpty())
        return;
    const QRectF numbers = numbersIn(strip, style);
    painter.save();
    if (scroll)
        painter.setClipRect(numbers.adjusted(0, -2, 0, 2), Qt::IntersectClip);
    paintNumbers(painter, numbers, arithmetic, style.monospace(), style, scroll);
    painter.restore();
    const double all = length(style);
    if (!scroll || all <= numbers.width())
        return;
    // How much of the line is in sight, and where.
    const double y = strip.bottom() - style.scaled(6);
    const double share = numbers.width() / all;
    painter.setPen(Qt::NoPen);
    painter.setBrush(mixed(style.border, style.surface, 0.7));
    painter.drawRoundedRect(QRectF(numbers.left(), y, numbers.width(), 3), 1.5, 1.5);
    painter.setBrush(mixed(style.mutedText, style.surface, 0.8));
    painter.drawRoundedRect(
        QRectF(numbers.left() + *scroll * share, y, std::max(12.0, numbers.width() * share), 3),
        1.5, 1.5);
    painter.setBrush(Qt::NoBrush);
}

} // namespace headlight::ui
