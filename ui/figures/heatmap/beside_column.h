// The column beside a matrix: a number for each row that belongs to none of the matrix's columns,
// such as the weight of a head's sink, which is not a token. All figures draw it with these
// functions.
#pragma once

#include "ui/figures/heatmap/heatmap_figure.h"

namespace headlight::ui {

inline constexpr double kBesideGap = 6; ///< px between the cells and the column

/// Returns the width in px of the column and the gap before it; 0 if there is no column. Numbers
/// with digits of this size fit into it. `digits` 0: the usual size.
double besideWidth(const HeatmapContent &content, const FigureStyle &style, int digits = 0);

/// Paints the column like the cells of the matrix, and its label if the geometry has space for it.
/// Does nothing if the content has no column or the geometry has no space for it. `background`,
/// `device` and `fade`: as in paintCells().
void paintBeside(QPainter &painter, const HeatmapGeometry &geometry, const HeatmapContent &content,
                 const FigureStyle &style, const QColor &background, Device device,
                 double fade = 1);

} // namespace headlight::ui
