#include "ui/figures/heatmap/parameter_heatmap.h"

#include "core/analysis/difference.h"
#include "ui/compare/compared.h"
#include "ui/figures/heatmap/cell_place.h"
#include "ui/figures/heatmap/painting_cache.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/text/symbol_spans.h"
#include "ui/text/number_text.h"
#include "ui/text/parameter_text.h"

namespace headlight::ui {

namespace {

QString symbolOf(const core::ParameterMatrixView &matrix) {
    return ui::symbolOf(matrix.id.which) + (matrix.transposed ? QStringLiteral("ᵀ") : QString());
}

core::ParameterSample sampleOf(const core::ParameterMatrixView &matrix) {
    const core::ParameterSample sample = core::sampleOf(matrix.block);
    return matrix.transposed ? core::transposed(sample) : sample;
}

/// Returns current − A; nothing if the sizes differ.
std::optional<core::SharedMatrix> differenceOf(const core::SharedMatrix &now,
                                               const core::SharedMatrix &a) {
    const core::Result<core::Difference> difference = core::difference(now.view(), a.view());
    if (!difference)
        return std::nullopt;
    auto values = std::make_shared<const core::Matrix>(difference->values);
    return core::SharedMatrix(values->view(), values);
}

std::optional<ParameterHeatmap> madeOf(const core::TracePointer &trace,
                                       const core::Selection &selection, const FigureStyle &style,
                                       const FigureOptions &options) {
    const Compared &compared = options.compared;
    const bool ofA = compared.shown == ComparisonSide::A && compared.a;
    const auto matrix = ofA ? core::parameterMatrixView(*compared.a, inA(compared, selection))
                            : core::parameterMatrixView(*trace, selection);
    if (!matrix)
        return std::nullopt;
    ParameterHeatmap learned{*matrix, sampleOf(*matrix), {}, {}};
    core::SharedMatrix numbers = learned.sample.numbers;
    if (compared.shown == ComparisonSide::Difference) {
        const auto before = compared.a
                                ? core::parameterMatrixView(*compared.a, inA(compared, selection))
                                : std::nullopt;
        const auto change =
            before ? differenceOf(numbers, sampleOf(*before).numbers) : std::nullopt;
        if (!change)
            return std::nullopt;
        numbers = *change;
    }
    const QColor colour = style.colourOf(core::infoOf(selection.stage).role);
    learned.symbol = symbolSpans(markedSymbolOf(matrix->id.which), colour, true);
    if (matrix->transposed)
        learned.symbol << Span{QStringLiteral("T"), colour, true, Span::Place::Superscript};
    learned.content.tensor = core::Tensor(numbers);
    learned.content.setScale(
        ColourScale::of(learned.content.tensor, 0, 0, style.signedMap, Range::PerHead), style,
        options);
    learned.content.titleColour = colour;
    return learned;
}

} // namespace

Spans ParameterHeatmap::title(const QString &rest, const FigureStyle &style) const {
    return symbol + Spans{{QStringLiteral("  ") + rest, style.mutedText, false, Span::Place::Line}};
}

QString ParameterHeatmap::words() const {
    const QString shape = shapeText(sample.rows, sample.columns);
    const QString all = tr("%1, a weight matrix of %2").arg(symbolOf(matrix), shape);
    return sample.isWhole() ? all
                            : tr("%1; %2 evenly spaced numbers are shown")
                                  .arg(all, shapeText(sample.numbers.rows, sample.numbers.columns));
}

QString ParameterHeatmap::wordsOf(Cell sampled) const {
    return tr("%1, row %2, column %3: %4")
        .arg(symbolOf(matrix))
        .arg(sample.rowOf(sampled.row))
        .arg(sample.columnOf(sampled.column))
        .arg(fullText(content.matrix()(sampled.row, sampled.column)));
}

std::optional<core::Rows> ParameterHeatmap::headRows() const {
    if (matrix.headsOfRows < 2)
        return std::nullopt;
    const core::Rows rows = matrix.rowsOfHead();
    const core::Index first = sample.sampledRow(rows.first);
    const core::Index end = sample.sampledRow(rows.first + rows.count - 1) + 1;
    return core::Rows{first, end - first};
}

std::vector<core::Index> ParameterHeatmap::headStarts() const {
    std::vector<core::Index> starts;
    for (core::Index head = 1; head < matrix.headsOfRows; ++head)
        starts.push_back(sample.sampledRow(head * (sample.rows / matrix.headsOfRows)));
    return starts;
}

std::optional<ParameterHeatmap> learnedOf(const core::TracePointer &trace,
                                          const core::Selection &selection,
                                          const FigureStyle &style, const FigureOptions &options,
                                          HeatmapCache *kept) {
    if (!kept)
        return madeOf(trace, selection, style, options);
    const core::Selection place = withoutCell(selection);
    const auto learned = kept->learned(trace, place, style, options, [&] {
        const std::optional<ParameterHeatmap> made = madeOf(trace, place, style, options);
        if (!made)
            return std::shared_ptr<const ParameterHeatmap>();
        auto shared = std::make_shared<ParameterHeatmap>(*made);
        shared->content.keptPainting = std::make_shared<PaintingCache>();
        return std::shared_ptr<const ParameterHeatmap>(shared);
    });
    return learned ? std::optional(*learned) : std::nullopt;
}

void paintHeadRows(QPainter &painter, const HeatmapGeometry &geometry,
                   const ParameterHeatmap &learned, const FigureStyle &style) {
    for (const core::Index row : learned.headStarts())
        painter.fillRect(QRectF(geometry.cells.left(), geometry.rowRect(row).top() - 1,
                                geometry.cells.width(), 1),
                         style.text);
    if (const auto rows = learned.headRows()) {
        const double top = geometry.rowRect(rows->first).top();
        const double bottom = geometry.rowRect(rows->first + rows->count - 1).bottom();
        painter.fillRect(QRectF(geometry.cells.left() - 3, top, 2, bottom - top),
                         learned.content.titleColour);
    }
}

} // namespace headlight::ui
