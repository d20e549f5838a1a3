// Compacts the SVG that Qt writes.
#pragma once

#include <QByteArray>

namespace headlight::ui {

/// Returns the same picture in far fewer bytes. Qt puts each shape into a separate group with all
/// painter attributes. Here, consecutive shapes share a group. Rectangles of one colour (the cells
/// of a heatmap) and lines of one pen become one path. Text stays text, and cells keep crisp edges.
/// Input in an unexpected form is returned unchanged.
QByteArray compactSvg(const QByteArray &svg);

} // namespace headlight::ui
