#include "ui/figures/text/wrapped_text.h"

#include "ui/text/broken_lines.h"

namespace headlight::ui {

namespace {

/// Limit for wrapped text. A figure may lay out its title hundreds of times, once for every
/// arrangement that it tries. With a pasted word of 200,000 letters, this would take minutes.
constexpr qsizetype kMaxWrapped = 4000;

QString withoutMiddle(const QString &text) {
    if (text.size() <= kMaxWrapped)
        return text;
    qsizetype begin = kMaxWrapped / 2, end = text.size() - kMaxWrapped / 2;
    begin -= text[begin].isLowSurrogate() ? 1 : 0; // do not split a surrogate pair
    end += text[end].isLowSurrogate() ? 1 : 0;
    return text.left(begin) + QChar(0x2026) + text.mid(end);
}

} // namespace

QStringList wrapped(const QString &whole, const QFont &font, double width) {
    const QString text = withoutMiddle(whole);
    if (text.isEmpty())
        return {};
    if (textWidth(text, font) <= width + 0.01)
        return {text};
    return brokenLines(text, font, width);
}

double wrappedHeight(const QString &text, const QFont &font, double width) {
    return static_cast<double>(wrapped(text, font, width).size()) * lineHeight(font);
}

void drawWrapped(QPainter &painter, const QRectF &rect, Qt::Alignment alignment,
                 const QString &text, const QFont &font, const QColor &colour) {
    const double height = lineHeight(font);
    double top = rect.top();
    for (const QString &line : wrapped(text, font, rect.width())) {
        drawLine(painter, {rect.left(), top, rect.width(), height}, alignment, line, font, colour);
        top += height;
    }
}

} // namespace headlight::ui
