#include "ui/figures/text.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

QFont fontOf(const Span &span, QFont font) {
    font.setWeight(span.bold ? QFont::DemiBold : font.weight());
    if (span.place != Span::Place::Line)
        font.setPixelSize(std::max(1, static_cast<int>(std::lround(font.pixelSize() * 0.72))));
    return font;
}

double rise(Span::Place place, const QFont &font) {
    switch (place) {
    case Span::Place::Line:
        return 0;
    case Span::Place::Subscript:
        return font.pixelSize() * 0.2;
    case Span::Place::Superscript:
        return -font.pixelSize() * 0.35;
    }
    return 0;
}

/// The baseline that puts a line of this font in the middle of the rectangle, on a whole pixel.
double baselineIn(const QRectF &rect, const QFont &font) {
    const QFontMetricsF metrics(font);
    return std::round(rect.center().y() + (metrics.ascent() - metrics.descent()) / 2);
}

void drawAt(QPainter &painter, QPointF baseline, const QString &text, const QFont &font,
            const QColor &colour) {
    painter.setFont(font);
    painter.setPen(colour);
    // By the text's own script, whatever the program's language: always from the left end on.
    painter.setLayoutDirection(Qt::LayoutDirectionAuto);
    painter.drawText(baseline, text);
}

} // namespace

double textWidth(const QString &text, const QFont &font) {
    return QFontMetricsF(font).horizontalAdvance(text);
}

double lineHeight(const QFont &font) {
    return std::ceil(QFontMetricsF(font).height());
}

QString elided(const QString &text, const QFont &font, double width, Qt::TextElideMode mode) {
    const QFontMetricsF metrics(font);
    if (metrics.horizontalAdvance(text) <= width)
        return text;
    const QString ellipsis(QChar(0x2026));
    if (metrics.horizontalAdvance(ellipsis) > width)
        return {};
    return metrics.elidedText(text, mode, width);
}

void drawLine(QPainter &painter, const QRectF &rect, Qt::Alignment alignment, const QString &text,
              const QFont &font, const QColor &colour, Qt::TextElideMode mode) {
    const QString shown = elided(text, font, rect.width() + 0.01, mode);
    if (shown.isEmpty())
        return;
    const double width = textWidth(shown, font);
    double x = rect.left();
    if (alignment & Qt::AlignRight)
        x = rect.right() - width;
    else if (alignment & Qt::AlignHCenter)
        x = rect.center().x() - width / 2;
    drawAt(painter, {x, baselineIn(rect, font)}, shown, font, colour);
}

double spansWidth(const Spans &spans, const QFont &font) {
    double width = 0;
    for (const Span &span : spans)
        width += textWidth(span.text, fontOf(span, font));
    return width;
}

void drawSpans(QPainter &painter, const QRectF &rect, const Spans &spans, const QFont &font) {
    const double baseline = baselineIn(rect, font);
    double x = rect.left();
    for (const Span &span : spans) {
        const QFont spanFont = fontOf(span, font);
        const QString shown = elided(span.text, spanFont, rect.right() - x + 0.01);
        if (!shown.isEmpty())
            drawAt(painter, {x, baseline + rise(span.place, font)}, shown, spanFont, span.colour);
        if (shown != span.text)
            return;
        x += textWidth(shown, spanFont);
    }
}

QString plainText(const Spans &spans) {
    QString text;
    for (const Span &span : spans)
        text += span.text;
    return text;
}

QString tokenText(const std::string &token) {
    QString text = QString::fromStdString(token);
    for (QChar &c : text) {
        if (c == QLatin1Char('\n'))
            c = QChar(0x23CE); // ⏎
        else if (c == QLatin1Char('\t'))
            c = QChar(0x21E5); // ⇥
        else if (c == QLatin1Char(' '))
            c = QChar(0x2423); // ␣
        else if (c.category() == QChar::Other_Control)
            c = QChar(0x00B7); // ·
    }
    return text;
}

} // namespace headlight::ui
