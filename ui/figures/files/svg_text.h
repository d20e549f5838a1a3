// What Headlight changes of the SVG that Qt writes.
#pragma once

#include <QByteArray>
#include <QSizeF>

namespace headlight::ui {

/// The size that the file says of itself, in millimetres. Qt writes whole pixels of it.
QByteArray withTrueSize(QByteArray svg, const QSizeF &pixels);

/// Behind each font those that look most like it elsewhere, and at last any of its kind.
QByteArray withFallbackFonts(const QByteArray &svg);

} // namespace headlight::ui
