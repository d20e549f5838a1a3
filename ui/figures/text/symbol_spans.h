// Symbols in painted text: "W_Q" with a real subscript.
#pragma once

#include "ui/figures/text/text.h"

namespace headlight::ui {

Spans symbolSpans(const QString &text, const QColor &colour, bool bold = false);

/// Returns the symbol or word at `x` px from the start of the line, as a glossary key such as "W_Q"
/// or "softmax". Empty if there is none.
QString symbolAt(const Spans &spans, const QFont &font, double x);

/// Draws a heading in one line from the left of `rect`. Elides it to the width of `rect`.
void drawHeading(QPainter &painter, const QRectF &rect, const QString &text, const QFont &font,
                 const QColor &colour);

} // namespace headlight::ui
