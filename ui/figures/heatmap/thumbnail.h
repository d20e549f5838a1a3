// A matrix as a small picture without text.
#pragma once

#include "ui/figures/heatmap/heatmap_figure.h"

#include <QImage>

namespace headlight::ui {

/// Returns an image of at most `size` logical pixels. It has the matrix's proportions, unless a
/// side would be too thin. Null if the content has no matrix. A very large matrix is sampled at
/// evenly spaced rows and columns.
QImage thumbnailOf(const HeatmapContent &content, const FigureStyle &style, const QSizeF &size,
                   double devicePixelRatio);

} // namespace headlight::ui
