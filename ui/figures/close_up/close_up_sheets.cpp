#include "ui/figures/close_up/close_up_sheets.h"

#include "ui/figures/base/card.h"
#include "ui/figures/heatmap/heatmap_painting.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/text/sentences.h"
#include "ui/text/step_number.h"

#include <QCoreApplication>

#include <algorithm>

namespace headlight::ui {

namespace {

using core::Index;

struct SheetText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::CloseUpSheet)
};

constexpr double kSheetSteps[] = {8, 5, 3}; // px between two sheets, to the right and downwards
constexpr double kSheetMargin = 1.5;        // px between the edge of a sheet and its colours
constexpr qsizetype kMaxNamedText = 40;     // characters

/// Returns the beginning of a sentence, at most kMaxNamedText characters.
QString beginningOf(const QStringList &words) {
    const QString text = words.join(QLatin1Char(' '));
    return text.size() > kMaxNamedText ? text.left(kMaxNamedText) + QChar(0x2026) : text;
}

/// True if the candidate has the same numbers, shows at least as much of the result, and does not
/// cut an operand that was complete. Operands that were cut may lose more rows or columns.
bool showsAsMuch(const CloseUpGeometry &candidate, const CloseUpGeometry &other) {
    const auto isAsWhole = [](const CloseUpGeometry::Placed &a, const CloseUpGeometry::Placed &b) {
        return a.hasNumbers == b.hasNumbers && (b.cells.isWindow || !a.cells.isWindow);
    };
    const HeatmapGeometry &result = candidate.result.cells, &before = other.result.cells;
    return candidate.form == other.form && result.rows >= before.rows &&
           result.columns >= before.columns &&
           std::ranges::equal(candidate.left, other.left, isAsWhole) &&
           std::ranges::equal(candidate.above, other.above, isAsWhole);
}

/// Adds the sheets, and makes space for them to the right of the card and below the card.
void placeSheets(CloseUpGeometry &geometry, std::size_t count, double step) {
    const double depth = static_cast<double>(count) * step;
    for (std::size_t i = 1; i <= count; ++i) {
        const double by = static_cast<double>(i) * step;
        geometry.sheets.push_back(geometry.card.translated(by, by));
    }
    if (geometry.result.isNoted) {
        geometry.result.title.translate(depth, 0);
        for (QRectF &chip : geometry.chips)
            chip.translate(depth, 0);
    }
    geometry.result.cells.colourBar.adjust(0, depth, depth, depth);
    geometry.used.adjust(0, 0, depth, depth);
}

} // namespace

std::vector<CloseUpSheet> sheetsOf(const core::TracePointer &trace, const core::Selection &current,
                                   const FigureStyle &style, const FigureOptions &options,
                                   HeatmapCache *kept) {
    const Index count = trace->batch().count();
    const core::Shape shape = shapeOf(*trace, current.stage, current.attention());
    const bool isOfAll = shape.rank() > 0 && shape[0] == 1; // one matrix for all sentences
    if (count < 2 || isOfAll || !core::infoOf(current.stage).rowsAreTokens())
        return {};
    std::vector<CloseUpSheet> sheets;
    for (Index i = 1; i < count && i <= kMaxSheets; ++i) {
        core::Selection other = current;
        other.sequence = (current.sequence + i) % count;
        other.query = other.key = other.dimension = std::nullopt;
        const QString name =
            SheetText::tr("Sentence %1 of %2").arg(stepNumber(other.sequence)).arg(count);
        const QString text = beginningOf(rowLabels(*trace, other));
        sheets.push_back({other.sequence, text.isEmpty() ? name : labelled(name, text),
                          contentOf(trace, other, style, options, kept)});
    }
    return sheets;
}

CloseUpGeometry geometryWithSheets(const CloseUpRequest &request, std::size_t count) {
    CloseUpGeometry without = CloseUpGeometry::of(request);
    if (count == 0 || without.result.cells.cells.isEmpty())
        return without;
    for (const double step : kSheetSteps) {
        const double depth = static_cast<double>(count) * step;
        CloseUpRequest smaller = request;
        smaller.area.adjust(0, 0, -depth, -depth);
        CloseUpGeometry geometry = CloseUpGeometry::of(smaller);
        if (geometry.result.cells.cells.isEmpty() || !showsAsMuch(geometry, without))
            continue;
        placeSheets(geometry, count, step);
        return geometry;
    }
    return without;
}

void paintSheets(QPainter &painter, const CloseUpGeometry &geometry,
                 const std::vector<CloseUpSheet> &sheets, const FigureStyle &style, Device device) {
    if (geometry.sheets.empty())
        return;
    const double step = geometry.sheets.front().left() - geometry.card.left();
    const double band = step - 2 * kSheetMargin;             // width of the colours
    for (std::size_t i = geometry.sheets.size(); i-- > 0;) { // paint the farthest first
        const QRectF sheet = geometry.sheets[i].adjusted(0.5, 0.5, -0.5, -0.5);
        paintCard(painter, sheet, QPen(style.border, 1), 8, style);
        const HeatmapContent &content = sheets[i].content;
        const core::SharedMatrix matrix = content.matrix();
        if (matrix.empty() || band < 1)
            continue;
        const QRectF inside =
            sheet.adjusted(kSheetMargin, kSheetMargin, -kSheetMargin, -kSheetMargin);
        HeatmapGeometry column, row;
        column.rows = matrix.rows;
        row.columns = matrix.columns;
        column.columns = row.rows = 1;
        column.origin = {0, matrix.columns - 1};
        row.origin = {matrix.rows - 1, 0};
        column.isWindow = row.isWindow = true;
        column.cells = QRectF(inside.right() - band, inside.top(), band, inside.height());
        row.cells = QRectF(inside.left(), inside.bottom() - band, inside.width() - band, band);
        column.cell = {band, inside.height() / static_cast<double>(matrix.rows)};
        row.cell = {row.cells.width() / static_cast<double>(matrix.columns), band};
        for (const HeatmapGeometry &edge : {column, row})
            paintCells(painter, edge, content, style, style.surface, device);
    }
}

} // namespace headlight::ui
