// The column beside a matrix, for numbers of rows that belong to none of the matrix's columns. An
// example is the weight of a head's sink, which is not a token. All figures draw the column with
// these functions.
#pragma once

#include "ui/figures/heatmap/heatmap_figure.h"

namespace headlight::ui {

inline constexpr double kBesideGap = 6; ///< px between the cells and the column

/// Returns the width in px of the column and the gap before it, or 0 if there is no column. Numbers
/// with digits of `digits` px fit into the column. If `digits` is 0, they have the usual size.
double besideWidth(const HeatmapContent &content, const FigureStyle &style, int digits = 0);

/// Paints the column like the cells of the matrix, and its label if the geometry has space for it.
/// Does nothing if the content has no column or the geometry has no space for one. `background`,
/// `device` and `fade` are those of paintCells().
void paintBeside(QPainter &painter, const HeatmapGeometry &geometry, const HeatmapContent &content,
                 const FigureStyle &style, const QColor &background, Device device,
                 double fade = 1);

} // namespace headlight::ui
