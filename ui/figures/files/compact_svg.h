// The SVG that Qt writes, without what it repeats.
#pragma once

#include <QByteArray>

namespace headlight::ui {

/// The same picture in a fraction of the bytes. Qt puts each shape into a group of its own, which
/// says all that a painter knows. Here shapes that follow each other share a group; rectangles of
/// one colour, as the cells of a heatmap, and lines of one pen are one path. Texts stay texts,
/// cells stay cells, with crisp edges. What is not as Qt is known to write it is left as it is.
QByteArray compactSvg(const QByteArray &svg);

} // namespace headlight::ui
