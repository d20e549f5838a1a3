// Text that wraps to further lines instead of being cut off.
#pragma once

#include "ui/figures/text/text.h"

#include <QStringList>

namespace headlight::ui {

/// Wraps the text at word boundaries if possible. Text that fits is one line. Leaves out the middle
/// of a text of thousands of letters.
QStringList wrapped(const QString &text, const QFont &font, double width);
/// Returns the height of the wrapped lines, or 0 for empty text.
double wrappedHeight(const QString &text, const QFont &font, double width);
/// Draws the lines from the top of the rectangle, left-aligned or right-aligned.
void drawWrapped(QPainter &painter, const QRectF &rect, Qt::Alignment alignment,
                 const QString &text, const QFont &font, const QColor &colour);

} // namespace headlight::ui
