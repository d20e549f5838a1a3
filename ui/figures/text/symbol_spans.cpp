#include "ui/figures/text/symbol_spans.h"

#include "ui/text/symbol_text.h"

#include <QRegularExpression>

namespace headlight::ui {

Spans symbolSpans(const QString &text, const QColor &colour, bool bold) {
    Spans spans;
    for (const SymbolPiece &piece : symbolPieces(text))
        spans.append({piece.text, colour, bold,
                      piece.isBeneath ? Span::Place::Subscript : Span::Place::Line});
    return spans;
}

QString symbolAt(const Spans &spans, const QFont &font, double x) {
    static const QRegularExpression word(QStringLiteral("[\\p{L}′°ᵀ₀-₉]+"));
    double left = 0;
    for (qsizetype i = 0; i < spans.size(); ++i) {
        const Span &span = spans[i];
        const bool hasBeneath =
            i + 1 < spans.size() && spans[i + 1].place == Span::Place::Subscript;
        const double end = left + spansWidth({span}, font);
        const double whole = hasBeneath ? end + spansWidth({spans[i + 1]}, font) : end;
        if (x >= left && x < whole && span.place == Span::Place::Line)
            for (auto words = word.globalMatch(span.text); words.hasNext();) {
                const QRegularExpressionMatch match = words.next();
                const auto widthOf = [&](qsizetype length) {
                    return spansWidth(
                        {{span.text.left(length), span.colour, span.bold, span.place}}, font);
                };
                const bool isLast = hasBeneath && match.capturedEnd() == span.text.size();
                const double last = isLast ? whole : left + widthOf(match.capturedEnd());
                if (x >= left + widthOf(match.capturedStart()) && x < last)
                    return isLast ? match.captured() + QLatin1Char('_') + spans[i + 1].text
                                  : match.captured();
            }
        left = end;
    }
    return {};
}

void drawHeading(QPainter &painter, const QRectF &rect, const QString &text, const QFont &font,
                 const QColor &colour) {
    const Spans spans = symbolSpans(text, colour);
    if (spans.size() == 1) // drawLine() elides the text if necessary
        drawLine(painter, rect, Qt::AlignLeft, text, font, colour);
    else
        drawSpans(painter, rect, spans, font);
}

} // namespace headlight::ui
