// Text that goes on in the next line where it has no room in one: nothing of it is cut off.
#pragma once

#include "ui/figures/text/text.h"

#include <QStringList>

namespace headlight::ui {

/// At words where there are any, else anywhere; one line where all of it fits. Of thousands of
/// letters the middle is left out.
QStringList wrapped(const QString &text, const QFont &font, double width);
/// Of its lines; 0 of no text.
double wrappedHeight(const QString &text, const QFont &font, double width);
/// From the rectangle's top on, each line left-aligned or right-aligned.
void drawWrapped(QPainter &painter, const QRectF &rect, Qt::Alignment alignment,
                 const QString &text, const QFont &font, const QColor &colour);

} // namespace headlight::ui
