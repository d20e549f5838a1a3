// Corrections of the SVG that Qt writes.
#pragma once

#include <QByteArray>
#include <QSizeF>

namespace headlight::ui {

/// Sets the file's size in exact millimetres, because Qt rounds to whole pixels.
QByteArray withTrueSize(QByteArray svg, const QSizeF &pixels);

/// Adds fallbacks after each font: similar fonts of other systems and a generic family.
QByteArray withFallbackFonts(const QByteArray &svg);

} // namespace headlight::ui
