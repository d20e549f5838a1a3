// Symbols in painted text: "W_Q" with a real subscript.
#pragma once

#include "ui/figures/text/text.h"

namespace headlight::ui {

Spans symbolSpans(const QString &text, const QColor &colour, bool bold = false);

/// The symbol or word at so many px from the beginning of a line, as a glossary knows it: "W_Q",
/// "softmax"; empty: there is none.
QString symbolAt(const Spans &spans, const QFont &font, double x);

/// A heading in one line within `rect`, from its left, elided to its width.
void drawHeading(QPainter &painter, const QRectF &rect, const QString &text, const QFont &font,
                 const QColor &colour);

} // namespace headlight::ui
