#include "ui/figures/heatmap/thumbnail.h"

#include "ui/figures/heatmap/heatmap_painting.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr core::Index kMaxCells = 1 << 18; // more cells would take too long to search
constexpr core::Index kSampled = 256;      // rows and columns of a sample
constexpr double kLargestCell = 9;         // px
constexpr double kThinnest = 8;            // px, minimum width and height of the picture

/// Returns the content, or a sample of evenly spaced numbers if the matrix is large. In a sample,
/// masked numbers are 0.
HeatmapContent sampledContent(const HeatmapContent &content) {
    const core::SharedMatrix matrix = content.matrix();
    if (matrix.rows * matrix.columns <= kMaxCells)
        return content;
    const core::Index rows = std::min(matrix.rows, kSampled);
    const core::Index columns = std::min(matrix.columns, kSampled);
    std::vector<float> numbers;
    numbers.reserve(static_cast<std::size_t>(rows * columns));
    for (core::Index r = 0; r < rows; ++r)
        for (core::Index c = 0; c < columns; ++c) {
            const core::Index row = r * matrix.rows / rows;
            const core::Index column = c * matrix.columns / columns;
            numbers.push_back(content.isHidden(row, column) ? 0 : matrix(row, column));
        }
    HeatmapContent sampled;
    sampled.tensor = core::Tensor({1, 1, rows, columns}, std::move(numbers));
    sampled.scale = content.scale;
    return sampled;
}

} // namespace

QImage thumbnailOf(const HeatmapContent &content, const FigureStyle &style, const QSizeF &size,
                   double devicePixelRatio) {
    if (content.matrix().empty())
        return {};
    const HeatmapContent sampled = sampledContent(content);
    const core::SharedMatrix matrix = sampled.matrix();
    const auto rows = static_cast<double>(matrix.rows);
    const auto columns = static_cast<double>(matrix.columns);
    const double cell = std::min({size.width() / columns, size.height() / rows, kLargestCell});
    const auto side = [](double length, double most) {
        return std::round(std::clamp(length, std::min(kThinnest, most), most));
    };
    HeatmapGeometry geometry;
    geometry.rows = matrix.rows;
    geometry.columns = matrix.columns;
    geometry.cells =
        QRectF(0, 0, side(cell * columns, size.width()), side(cell * rows, size.height()));
    geometry.cell = {geometry.cells.width() / columns, geometry.cells.height() / rows};
    QImage image((geometry.cells.size() * devicePixelRatio).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(devicePixelRatio);
    QPainter painter(&image);
    painter.fillRect(geometry.cells, style.surface);
    paintCells(painter, geometry, sampled, style, style.surface, Device::Raster);
    return image;
}

} // namespace headlight::ui
