// The cells of a heatmap as an image. A pixel represents one cell or several.
#pragma once

#include "ui/figures/heatmap/heatmap_figure.h"

#include <QImage>

namespace headlight::ui {

/// Returns the colour of a cell.
QRgb cellColour(const HeatmapContent &content, const core::MatrixView &matrix, core::Index row,
                core::Index column, const FigureStyle &style);

/// Mixes the colour into the background. If `fade` is 1, the colour is unchanged.
QRgb faded(QRgb colour, const QColor &background, double fade);

/// Returns an image of the geometry's rows and columns with `pixels` pixels, at most one per cell.
/// A pixel with several cells shows the number farthest from 0 or the mean, as set by
/// `content.blocks`. The former does not lose a single large number. Hidden cells do not count. A
/// pixel with many cells reads whole blocks of the content's pyramid, if there is one.
QImage cellImage(const HeatmapGeometry &geometry, const HeatmapContent &content,
                 const FigureStyle &style, const QColor &background, double fade, QSize pixels);

} // namespace headlight::ui
