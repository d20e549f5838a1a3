#include "ui/figures/heatmap/beside_column.h"

#include "ui/figures/heatmap/heatmap_painting.h"
#include "ui/figures/text/text.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kThinnestColumn = 16;         // px, width of the column without the gap
constexpr double kColumnDigits = 10;           // px, before the text is enlarged
constexpr std::size_t kMaxNumbersBeside = 200; // with more rows, no screen has space for numbers

/// Returns the column as a matrix in the colours of the content.
HeatmapContent columnOfBeside(const HeatmapContent &content) {
    HeatmapContent column;
    column.tensor =
        core::Tensor({1, 1, static_cast<core::Index>(content.beside.size()), 1}, content.beside);
    column.scale = content.scale;
    column.numbers = content.numbers;
    column.minDigits = content.minDigits;
    column.blocks = content.blocks;
    column.firstPaddingRow = content.firstPaddingRow;
    if (content.computedTo) // a row's weights and its number in the column are computed together
        column.computedTo = Cell{content.computedTo->row, 0};
    return column;
}

} // namespace

double besideWidth(const HeatmapContent &content, const FigureStyle &style, int digits) {
    if (content.beside.empty())
        return 0;
    double width = style.scaled(kThinnestColumn);
    const int pixels = digits > 0 ? digits : static_cast<int>(style.scaled(kColumnDigits));
    if (content.numbers && content.beside.size() <= kMaxNumbersBeside)
        width = std::max(width, cellOfNumbers(columnOfBeside(content), style, pixels).width());
    return kBesideGap + std::ceil(width);
}

void paintBeside(QPainter &painter, const HeatmapGeometry &geometry, const HeatmapContent &content,
                 const FigureStyle &style, const QColor &background, Device device, double fade) {
    if (geometry.beside.isEmpty() || content.beside.empty())
        return;
    HeatmapGeometry place;
    place.rows = geometry.rows;
    place.columns = 1;
    place.origin = {geometry.origin.row, 0};
    place.isWindow = geometry.isWindow;
    place.cell = {geometry.beside.width(), geometry.cell.height()};
    place.cells = place.area = place.used = geometry.beside;
    const HeatmapContent column = columnOfBeside(content);
    paintCells(painter, place, column, style, background, device, fade);
    paintNumbers(painter, place, column, style, background, fade);
    paintFrame(painter, place, style);
    if (!geometry.besideLabel.isEmpty())
        drawLine(painter, geometry.besideLabel, Qt::AlignRight, content.besideLabel,
                 style.font(FigureStyle::Text::Label), style.mutedText);
}

} // namespace headlight::ui
