#include "ui/figures/text/text.h"

#include "ui/figures/base/visible_part.h"
#include "ui/figures/text/outlined_text.h"
#include "ui/text/symbol_text.h"

#include <QFontMetricsF>
#include <QPaintEngine>
#include <QPainterPath>
#include <QThreadStorage>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kScriptShare = 0.72; // size of a subscript or superscript relative to its line
constexpr int kReadable = 16;         // px, minimum size of scripts in larger lines

QFont fontOf(const Span &span, QFont font) {
    font.setWeight(span.bold ? QFont::DemiBold : font.weight());
    const int line = font.pixelSize();
    if (span.place != Span::Place::Line)
        font.setPixelSize(std::max({1, line >= kReadable ? kReadable : 0,
                                    static_cast<int>(std::lround(kScriptShare * line))}));
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

/// Returns the baseline that centres a line of this font vertically, at a whole pixel.
double baselineIn(const QRectF &rect, const QFont &font) {
    const QFontMetricsF metrics(font);
    return std::round(rect.center().y() + (metrics.ascent() - metrics.descent()) / 2);
}

/// True if the text contains pictographs drawn with a colour font. These are characters of the
/// emoji planes, or characters followed by the emoji variation selector.
bool hasEmoji(const QString &text) {
    constexpr uint kEmojiStyle = 0xFE0F;
    for (const uint c : text.toUcs4())
        if ((c >= 0x1F000 && c <= 0x1FAFF) || c == kEmojiStyle)
            return true;
    return false;
}

/// Draws the line as a picture, because a PDF cannot contain the colour fonts of emoji.
void drawAsPicture(QPainter &painter, QPointF baseline, const QString &text, const QFont &font,
                   const QColor &colour) {
    constexpr double kDensity = 6;
    const QFontMetricsF metrics(font);
    const QSizeF size(std::ceil(metrics.horizontalAdvance(text)) + 2,
                      std::ceil(metrics.height()) + 2);
    QImage picture((size * kDensity).toSize(), QImage::Format_ARGB32_Premultiplied);
    picture.fill(Qt::transparent);
    QPainter inner(&picture);
    inner.scale(kDensity, kDensity);
    inner.setFont(font);
    inner.setPen(colour);
    inner.drawText(QPointF(1, metrics.ascent() + 1), text);
    inner.end();
    painter.setRenderHint(QPainter::LosslessImageRendering); // avoids JPEG compression in a PDF
    painter.drawImage(QRectF(baseline - QPointF(1, metrics.ascent() + 1), size), picture);
}

/// Replaces characters that XML, and therefore an SVG, does not allow.
QString printable(const QString &text) {
    QString clean = text;
    for (qsizetype i = 0; i < clean.size(); ++i) {
        const QChar c = clean[i];
        const bool isPair =
            c.isHighSurrogate() && i + 1 < clean.size() && clean[i + 1].isLowSurrogate();
        if (isPair)
            ++i;
        else if (c.isSurrogate() || c.unicode() >= 0xFFFE || c.unicode() < 0x20)
            clean[i] = QChar::ReplacementCharacter;
    }
    return clean;
}

void drawOutlines(QPainter &painter, QPointF baseline, const QString &text, const QFont &font,
                  const QColor &colour) {
    // Qt rounds outlines to 1/64 px, differently on different systems. In larger outlines, the
    // rounding is negligible.
    constexpr int kLarger = 64;
    QFont large = font;
    large.setPixelSize(kLarger * font.pixelSize());
    QPainterPath outlines;
    outlines.addText({}, large, text);
    outlines = QTransform()
                   .translate(baseline.x(), baseline.y())
                   .scale(1.0 / kLarger, 1.0 / kLarger)
                   .map(outlines);
    outlines.setFillRule(Qt::WindingFill); // no holes if a glyph overlaps itself
    painter.fillPath(outlines, colour);
}

/// False if a line in the rectangle, which may be shorter than the letters, is outside the device.
/// This check is much faster than measuring and drawing the text.
bool mayShow(const QPainter &painter, const QRectF &rect, const QFont &font) {
    const double more = 2.0 * std::max(1, font.pixelSize());
    return mayBeVisible(painter, rect.adjusted(-more, -more, more, more));
}

void drawAt(QPainter &painter, QPointF baseline, const QString &text, const QFont &font,
            const QColor &colour) {
    const bool isOutlined = dynamic_cast<const OutlinedText *>(painter.device()) != nullptr;
    const bool holdsEmoji = !isOutlined && painter.paintEngine()->type() != QPaintEngine::Pdf;
    if (!holdsEmoji && hasEmoji(text)) {
        drawAsPicture(painter, baseline, text, font, colour);
        return;
    }
    if (isOutlined) {
        drawOutlines(painter, baseline, printable(text), font, colour);
        return;
    }
    painter.setFont(font);
    painter.setPen(colour);
    // The text determines its direction, independently of the application's language. It always
    // starts on the left.
    painter.setLayoutDirection(Qt::LayoutDirectionAuto);
    painter.drawText(baseline, printable(text));
}

} // namespace

double textWidth(const QString &text, const QFont &font) {
    constexpr qsizetype kMaxTexts = 4096, kMaxLength = 64;
    if (text.size() > kMaxLength)
        return QFontMetricsF(font).horizontalAdvance(text);
    // Cached, because a figure measures the same labels at each paint. Figures are painted in
    // several threads, so each thread has a cache. QThreadStorage is used because fonts must not
    // outlive the application, as they would in a thread_local of the main thread.
    static QThreadStorage<QHash<std::pair<QFont, QString>, double>> ofThread;
    QHash<std::pair<QFont, QString>, double> &known = ofThread.localData();
    const std::pair key(font, text);
    if (const auto found = known.constFind(key); found != known.constEnd())
        return *found;
    if (known.size() >= kMaxTexts)
        known.clear();
    return *known.insert(key, QFontMetricsF(font).horizontalAdvance(text));
}

double lineHeight(const QFont &font) {
    return std::ceil(QFontMetricsF(font).height());
}

QString elidedPair(const QString &text, const QFont &font, double width) {
    const QString arrow = QStringLiteral(" → ");
    const qsizetype at = text.indexOf(arrow);
    if (at < 0 || textWidth(text, font) <= width)
        return elided(text, font, width);
    const QString left = text.left(at), right = text.mid(at + arrow.size());
    const double available = width - textWidth(arrow, font);
    // Each side may use the space that the other does not need.
    const double a = textWidth(left, font), b = textWidth(right, font);
    const double forLeft = std::clamp(available - b, available / 2, std::max(available / 2, a));
    const QString first = elided(left, font, std::min(a, forLeft));
    const QString second = elided(right, font, available - std::min(a, forLeft));
    return first.isEmpty() || second.isEmpty() ? elided(text, font, width) : first + arrow + second;
}

QString firstParts(const QString &text, const QFont &font, double width) {
    QString parts = text;
    for (qsizetype end = 0; end >= 0 && textWidth(parts, font) > width;) {
        end = parts.lastIndexOf(QStringLiteral(" · "));
        if (end >= 0)
            parts.truncate(end);
    }
    return parts;
}

QString elided(const QString &text, const QFont &font, double width, Qt::TextElideMode mode) {
    if (textWidth(text, font) <= width)
        return text;
    const QString ellipsis(QChar(0x2026));
    if (textWidth(ellipsis, font) > width)
        return {};
    return QFontMetricsF(font).elidedText(text, mode, width);
}

void drawFitting(QPainter &painter, const QRectF &rect, const QString &text, const QFont &font,
                 const QColor &colour) {
    drawAt(painter, {rect.left(), baselineIn(rect, font)}, text, font, colour);
}

ShortLines::ShortLines(QPainter &painter, const QFont &font)
    : m_painter(painter),
      m_font(font),
      m_isPixels(painter.paintEngine()->type() == QPaintEngine::Raster),
      m_ascent(QFontMetricsF(font).ascent()),
      m_descent(QFontMetricsF(font).descent()) {}

void ShortLines::draw(const QRectF &rect, const QString &text, const QColor &colour) {
    if (!m_isPixels)
        return drawFitting(m_painter, rect, text, m_font, colour);
    QStaticText &line = m_laidOut[text];
    if (line.text().isEmpty()) {
        line = QStaticText(printable(text));
        line.setTextFormat(Qt::PlainText);
        line.prepare(QTransform(), m_font);
    }
    if (m_colour != colour || !m_colour.isValid()) {
        m_painter.setFont(m_font);
        m_painter.setPen(colour);
        m_colour = colour;
    }
    const double baseline = std::round(rect.center().y() + (m_ascent - m_descent) / 2);
    m_painter.drawStaticText(QPointF(rect.left(), baseline - m_ascent), line);
}

void drawLine(QPainter &painter, const QRectF &rect, Qt::Alignment alignment, const QString &text,
              const QFont &font, const QColor &colour, Qt::TextElideMode mode) {
    if (!mayShow(painter, rect, font))
        return;
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

QFont fittedFont(const Spans &spans, QFont font, double width, int least) {
    while (spansWidth(spans, font) > width && font.pixelSize() > least)
        font.setPixelSize(font.pixelSize() - 1);
    return font;
}

void drawSpans(QPainter &painter, const QRectF &rect, const Spans &spans, const QFont &font) {
    if (!mayShow(painter, rect, font))
        return;
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
        text += span.place == Span::Place::Subscript ? plainBeneath(span.text) : span.text;
    return text;
}

} // namespace headlight::ui
