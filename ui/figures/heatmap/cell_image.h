// The cells of a heatmap as an image, with a pixel for each cell or for several of them.
#pragma once

#include "ui/figures/heatmap/heatmap_figure.h"

#include <QImage>

namespace headlight::ui {

/// Returns the colour of a cell.
QRgb cellColour(const HeatmapContent &content, const core::MatrixView &matrix, core::Index row,
                core::Index column, const FigureStyle &style);

/// Mixes the colour into the background; at 1 it stays as it is.
QRgb faded(QRgb colour, const QColor &background, double fade);

/// Returns an image of this size of the geometry's rows and columns; it has no more pixels than
/// there are. A pixel of several cells shows what the content asks for: the number farthest from 0,
/// so that a single large one is not lost, or the mean. Hidden cells do not count. A pixel with
/// many cells reads them from the content's pyramid, if it has one, in whole blocks.
QImage cellImage(const HeatmapGeometry &geometry, const HeatmapContent &content,
                 const FigureStyle &style, const QColor &background, double fade, QSize pixels);

} // namespace headlight::ui
