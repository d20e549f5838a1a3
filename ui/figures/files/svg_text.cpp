#include "ui/figures/files/svg_text.h"

#include "ui/figures/base/style.h"
#include "ui/figures/files/figure_size.h"

#include <QFontInfo>

namespace headlight::ui {

namespace {

/// Returns a CSS list of families: the given one, similar ones on other systems, and a generic
/// family.
QByteArray familiesFrom(const QByteArray &family) {
    if (family == "sans-serif") // Qt writes this family for shapes, which have no text
        return family;
    const QString name = QString::fromUtf8(family);
    const bool isFixed = name == FigureStyle().monospace().family().toHtmlEscaped();
    // "monospace" becomes the actual font of the layout.
    const QByteArray used =
        isFixed ? QFontInfo(FigureStyle().monospace()).family().toHtmlEscaped().toUtf8() : family;
    const QByteArray first = used.contains(' ') ? '\'' + used + '\'' : used;
    if (!isFixed)
        return first + ", 'Helvetica Neue', Arial, sans-serif";
    const QByteArray others = "'DejaVu Sans Mono', Menlo, Consolas, monospace";
    return others.startsWith(first) ? others : first + ", " + others;
}

} // namespace

QByteArray withTrueSize(QByteArray svg, const QSizeF &pixels) {
    constexpr char kBegin[] = "<svg width=\"";
    const qsizetype place = svg.indexOf(kBegin);
    const qsizetype end = place < 0 ? -1 : svg.indexOf('\n', place);
    if (end < 0)
        return svg;
    const auto length = [](double side) {
        return QByteArray::number(side / pixelsOf(LengthUnit::Millimetre), 'g', 8) + "mm\"";
    };
    return svg.replace(place, end - place,
                       kBegin + length(pixels.width()) + " height=\"" + length(pixels.height()));
}

QByteArray withFallbackFonts(const QByteArray &svg) {
    // This matches only attributes, because quotation marks in text are escaped.
    constexpr QByteArrayView kBegin = "font-family=\"";
    QByteArray result;
    qsizetype done = 0;
    for (qsizetype place = svg.indexOf(kBegin); place >= 0; place = svg.indexOf(kBegin, done)) {
        const qsizetype family = place + kBegin.size();
        const qsizetype end = svg.indexOf('"', family);
        if (end < 0)
            break;
        result += svg.mid(done, family - done) + familiesFrom(svg.mid(family, end - family));
        done = end;
    }
    return result + svg.mid(done);
}

} // namespace headlight::ui
