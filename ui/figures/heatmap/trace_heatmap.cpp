#include "ui/figures/heatmap/trace_heatmap.h"

#include "core/analysis/attention_row_properties.h"
#include "core/analysis/row_measures.h"
#include "core/selection/selected.h"
#include "ui/figures/heatmap/cell_place.h"
#include "ui/figures/heatmap/compared_heatmap.h"
#include "ui/figures/heatmap/gradient_heatmap.h"
#include "ui/figures/heatmap/heatmap_cache.h"
#include "ui/figures/text/stage_formula.h"
#include "ui/figures/text/text.h"
#include "ui/text/head_text.h"
#include "ui/text/number_text.h"
#include "ui/text/stage_titles.h"
#include "ui/text/step_number.h"

#include <cmath>

namespace headlight::ui {

namespace {

struct TraceHeatmapText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::StageText)
};

/// States that the rows sum to 1, except rows of zeros. Empty if they do not.
QString sumText(const core::SharedMatrix &matrix) {
    const core::RowSums sums = core::rowSumsOf(matrix.view());
    if (!sums.othersAreOne)
        return {};
    if (sums.zeros == 0)
        return TraceHeatmapText::tr("each row sums to 1");
    if (sums.zeros == matrix.rows)
        return TraceHeatmapText::tr("every row is fully masked");
    return sums.zeros == 1 ? TraceHeatmapText::tr("1 row is fully masked; the others sum to 1")
                           : TraceHeatmapText::tr("%n rows are fully masked; the others sum to 1",
                                                  nullptr, static_cast<int>(sums.zeros));
}

/// Like sumText(), but for a capture, whose mask is unknown.
QString capturedSumText(const core::SharedMatrix &matrix) {
    const core::RowSums sums = core::rowSumsOf(matrix.view());
    if (!sums.othersAreOne)
        return TraceHeatmapText::tr("some rows do not sum to 1");
    if (sums.zeros == 0)
        return TraceHeatmapText::tr("each row sums to 1");
    if (sums.zeros == matrix.rows)
        return TraceHeatmapText::tr("every row is 0");
    return sums.zeros == 1 ? TraceHeatmapText::tr("1 row is 0; the others sum to 1")
                           : TraceHeatmapText::tr("%n rows are 0; the others sum to 1", nullptr,
                                                  static_cast<int>(sums.zeros));
}

bool hidesAnything(const core::SharedMatrix &matrix) {
    for (core::Index row = 0; row < matrix.rows; ++row)
        for (const float number : matrix.row(row))
            if (std::isinf(number))
                return true;
    return false;
}

/// States that the rows of weights sum to 1, or explains why they do not.
QString weightsRemark(const core::Trace &trace, const core::Selection &selection,
                      const HeatmapContent &content, std::optional<core::HeadSummary> summary) {
    const core::Config &config = trace.model().config;
    bool sumToOne = true;
    for (core::Index head = 0; head < trace.model().headsOf(selection.attention()); ++head)
        if (summary || head == selection.head)
            sumToOne &= core::weightingOf(trace, selection.attention(), head).sumsToOne;
    const bool before = selection.stage == core::Stage::UnmaskedWeights;
    if (!config.softmax && (before || !sumToOne))
        return TraceHeatmapText::tr("no softmax: rows do not sum to 1");
    if (trace.model().hasSinks(selection.attention()) && (before || !sumToOne))
        return TraceHeatmapText::tr("the head's sink takes a share, so rows do not sum to 1");
    if (!before && !sumToOne)
        return TraceHeatmapText::tr("masked after softmax: rows do not sum to 1");
    if (summary == core::HeadSummary::Maximum)
        return {};
    return trace.model().isCaptured() ? capturedSumText(content.matrix())
                                      : sumText(content.matrix());
}

/// Returns a short remark about the stage's values, or an empty text.
QString remarkOf(const core::Trace &trace, const core::Selection &selection,
                 const HeatmapContent &content, std::optional<core::HeadSummary> summary) {
    switch (selection.stage) {
    case core::Stage::UnmaskedWeights:
    case core::Stage::AttentionWeights:
        return weightsRemark(trace, selection, content, summary);
    case core::Stage::MaskedScores:
        if (trace.model().isCaptured()) // a capture does not record the value of hidden scores
            return hidesAnything(content.matrix()) ? TraceHeatmapText::tr("hidden = −∞")
                                                   : QString();
        if (!trace.mask(selection.sequence, selection.attention()).hidesAnything() &&
            !hidesAnything(content.matrix()))
            return TraceHeatmapText::tr("no key is hidden");
        return TraceHeatmapText::tr("hidden = %1")
            .arg(fullText(trace.model().config.masking.value));
    default:
        return {};
    }
}

QString headText(const core::Trace &trace, const core::Selection &selection,
                 std::optional<core::HeadSummary> summary) {
    if (!summary) {
        const QString head = ui::headText(selection.head);
        const QString state =
            stateText(trace.input().interventions.stateOf(selection.attention(), selection.head));
        return state.isEmpty() ? head : head + QStringLiteral(" · ") + state;
    }
    return summary == core::HeadSummary::Mean ? TraceHeatmapText::tr("mean over heads")
                                              : TraceHeatmapText::tr("maximum over heads");
}

QString placeOf(const core::Trace &trace, const core::Selection &selection, bool perHead,
                std::optional<core::HeadSummary> summary) {
    const core::Part part = core::infoOf(selection.stage).part;
    const bool inLayer = part == core::Part::Layer || part == core::Part::Attention ||
                         part == core::Part::FeedForward ||
                         (part == core::Part::Embedding && selection.layer > 0);
    QStringList parts;
    const core::Shape shape = shapeOf(trace, selection.stage, selection.attention());
    const bool isOfAll = shape.rank() > 0 && shape[0] == 1; // one matrix for all sequences
    if (trace.batch().count() > 1 && core::infoOf(selection.stage).rowsAreTokens() && !isOfAll)
        parts.append(TraceHeatmapText::tr("sentence %1 of %2")
                         .arg(stepNumber(selection.sequence))
                         .arg(trace.batch().count()));
    const bool crosses =
        part == core::Part::Attention && selection.block == core::Block::CrossAttention;
    if (part != core::Part::OutputLayer && selection.stack != core::Stack::Main && !crosses)
        parts.append(titleOf(selection.stack));
    if (inLayer && trace.model().layerCount(selection.stack) > 1)
        parts.append(TraceHeatmapText::tr("layer %1").arg(selection.layer));
    if (crosses)
        parts.append(TraceHeatmapText::tr("cross-attention"));
    if (perHead)
        parts.append(headText(trace, selection, summary));
    return parts.join(QStringLiteral(" · "));
}

/// Returns the chosen range. For values that may be outside 0 … 1 (router scores, and expert
/// weights with a factor), returns PerHead instead of Fixed.
Range rangeFor(const core::Trace &trace, core::Stage stage, Range chosen) {
    const bool isBeyondOne =
        stage == core::Stage::RouterScores ||
        (stage == core::Stage::ExpertWeights && trace.model().config.feedForward.expertFactor != 1);
    return chosen == Range::Fixed && isBeyondOne ? Range::PerHead : chosen;
}

} // namespace

namespace {

/// Returns the stage in this layer. In all layers but the first, the layer input replaces the
/// embeddings.
core::Stage stageThere(core::Stage stage, core::AttentionId attention) {
    return attention.layer > 0 && core::infoOf(stage).part == core::Part::Embedding
               ? core::Stage::LayerInput
               : stage;
}

core::Selection thereOf(core::Selection selection) {
    selection.stage = stageThere(selection.stage, selection.attention());
    return selection;
}

/// Sets the matrix of a stage that is computed per head or per row. Does not wait for a missing
/// matrix.
void takeMatrix(HeatmapContent &content, const core::Trace &trace, const core::Selection &selection,
                bool ofAllHeads) {
    const core::Shape shape = shapeOf(trace, selection.stage, selection.attention());
    const QString size = shapeText(shape.last(1), shape.last(0));
    if (trace.isByRow(selection.stage))
        content.absence = TraceHeatmapText::tr(
                              "%1: too large for a picture of all rows. Close-up and Output show "
                              "the row of the selected token.")
                              .arg(size);
    else if (ofAllHeads)
        content.absence = TraceHeatmapText::tr("Heads of %1 cannot be combined").arg(size);
    else if (!trace.isReady(selection.stage, selection.attention(), selection.sequence,
                            selection.head))
        content.absence = trace.source()
                              ? TraceHeatmapText::tr("%1: read when selected").arg(size)
                              : TraceHeatmapText::tr("%1: computed when selected").arg(size);
    else
        content.tensor = core::Tensor(trace.matrix(selection.stage, selection.attention(),
                                                   selection.sequence, selection.head));
}

} // namespace

QString stateText(core::HeadState state) {
    switch (state) {
    case core::HeadState::On:
        break;
    case core::HeadState::Zero:
        return TraceHeatmapText::tr("silenced");
    case core::HeadState::Mean:
        return TraceHeatmapText::tr("mean");
    case core::HeadState::Uniform:
        return TraceHeatmapText::tr("uniform");
    }
    return {};
}

QString shapeText(core::Index rows, core::Index columns) {
    return QStringLiteral("%1 × %2").arg(rows).arg(columns);
}

core::Tensor tensorOf(const core::Trace &trace, core::Stage stage, core::AttentionId attention) {
    stage = stageThere(stage, attention);
    const core::Tensor tensor = trace.stage(stage, attention);
    if (!rowsAreSequences(stage) || tensor.isNull())
        return tensor;
    const auto values = tensor.values();
    return core::Tensor({1, tensor.shape()[0], tensor.shape()[1]},
                        std::vector<float>(values.begin(), values.end()));
}

core::Shape shapeOf(const core::Trace &trace, core::Stage stage, core::AttentionId attention) {
    const auto step = trace.plan().find({stageThere(stage, attention), attention});
    if (!step)
        return {};
    const core::Shape &shape = trace.plan()[*step].shape;
    return rowsAreSequences(stage) ? core::Shape{1, shape[0], shape[1]} : shape;
}

MatrixIndex matrixPlace(const core::Trace &trace, const core::Tensor &tensor,
                        const core::Selection &selection) {
    const core::Shape &shape = tensor.shape();
    MatrixIndex place;
    if (shape[0] > 1)
        place.sequence = selection.sequence;
    if (shape.rank() < 4)
        return place;
    // Convert the head to its group of keys. A capture may have separate keys for every head.
    const core::Index heads = trace.model().headsOf(selection.attention());
    const bool grouped = core::infoOf(selection.stage).ofKeys() && shape[1] < heads;
    place.head = grouped ? selection.head * shape[1] / heads : selection.head;
    return place;
}

core::SharedMatrix matrixOf(const core::Trace &trace, const core::Selection &selection) {
    return core::matrixAt(trace, thereOf(selection));
}

core::MatrixSize sizeOf(const core::Trace &trace, const core::Selection &selection) {
    return core::sizeAt(trace, thereOf(selection));
}

core::Stage namedStage(core::Stage stage, core::Index layer) {
    return layer > 0 && core::infoOf(stage).part == core::Part::Embedding ? core::Stage::Positioned
                                                                          : stage;
}

namespace {

/// Returns the cells with user-set scores, for the stages that depend on them.
std::vector<Cell> setByHand(const core::Trace &trace, const core::Selection &selection,
                            const core::AttentionRowProperties &weighting) {
    std::vector<Cell> cells;
    if (selection.stage == core::Stage::AttentionWeights && weighting.isUniform)
        return cells;
    for (const core::ScoreIntervention &score : trace.input().interventions.scoresOf(
             selection.sequence, selection.attention(), selection.head))
        cells.push_back({score.query, score.key});
    return cells;
}

} // namespace

core::Role colourRoleOf(const core::Trace &trace, core::Stage stage) {
    const core::Role role = core::infoOf(stage).role;
    return role == core::Role::Weights && !trace.model().config.softmax ? core::Role::Scores : role;
}

namespace {

/// Returns the content without a selection.
HeatmapContent unselectedContentOf(const core::TracePointer &trace,
                                   const core::Selection &selection, const FigureStyle &style,
                                   const FigureOptions &options) {
    if (options.compared.shown != ComparisonSide::Now)
        return comparedContentOf(trace, selection, style, options);
    const core::StageInfo &info = core::infoOf(selection.stage);
    HeatmapContent content;
    const core::Stage named = namedStage(selection.stage, selection.layer);
    content.title = options.title;
    if (content.title.isEmpty())
        content.title = symbolText(*trace, {named, selection.attention()}) + QStringLiteral("  ") +
                        titleOf(trace->model(), named);
    content.titleColour = style.colourOf(info.role);
    const bool byHead = trace->isByHead(selection.stage, selection.attention());
    if (byHead || trace->isByRow(selection.stage))
        takeMatrix(content, *trace, selection, options.summary.has_value());
    else
        content.tensor = tensorOf(*trace, selection.stage, selection.attention());
    if (!content.absence.isEmpty())
        return content;
    if (content.tensor.isNull()) {
        content.subtitle = trace->model().isCaptured()
                               ? TraceHeatmapText::tr("This stage was not captured.")
                               : TraceHeatmapText::tr("This model has no such stage.");
        return content;
    }
    const bool perHead = content.tensor.shape().rank() == 4;
    const MatrixIndex place =
        byHead ? MatrixIndex() : matrixPlace(*trace, content.tensor, selection);
    content.sequence = place.sequence;
    content.head = options.summary ? 0 : place.head;
    if (options.summary)
        content.tensor = core::summarizeHeads(content.tensor, *options.summary);
    const core::Mask *mask =
        info.overKeys() ? &trace->mask(selection.sequence, selection.attention()) : nullptr;
    const bool masked = selection.stage == core::Stage::MaskedScores;
    content.setScale(ColourScale::of(content.tensor, content.sequence, content.head,
                                     style.mapOf(colourRoleOf(*trace, selection.stage)),
                                     rangeFor(*trace, selection.stage, options.range),
                                     masked && mask->hidesAnything() ? mask : nullptr),
                     style, options);
    const core::SharedMatrix matrix = content.matrix();
    content.rowLabels = rowLabels(*trace, selection);
    content.columnLabels = columnNames(*trace, selection, matrix.columns);
    const AxisNames axes = axesOf(*trace, selection.stage, selection.attention());
    content.rowAxis = axes.rows;
    content.columnAxis = axes.columns;
    content.columnsAreTokens = info.overKeys() || info.columns == core::Columns::Words;
    if (info.rowsAreTokens()) {
        const core::Sequence &sequence =
            rowBatch(*trace, selection.stage, selection.attention())[selection.sequence];
        if (sequence.length < matrix.rows)
            content.firstPaddingRow = sequence.length;
    }
    if (info.overKeys()) {
        content.maximumAspect = 1.35;
        const core::AttentionRowProperties weighting =
            core::weightingOf(*trace, selection.attention(), selection.head);
        content.hidesWholly = weighting.hidesWholly;
        // If a number replaces hidden scores, the resulting weights are ordinary weights and not
        // masked.
        if (masked || (selection.stage == core::Stage::AttentionWeights && weighting.hidesWholly))
            content.mask = {trace->masks(selection.attention()), mask};
        content.hiddenHaveNumbers = content.mask != nullptr;
        if (!options.summary)
            content.setByHand = setByHand(*trace, selection, weighting);
        content.emptyRowText = TraceHeatmapText::tr("fully masked");
    } else {
        content.minimumAspect = 0.3;
        content.maximumAspect = 3;
    }
    const core::Index heads = trace->model().headsOf(selection.attention());
    if (selection.stage == core::Stage::Concatenated && heads > 1 && matrix.columns % heads == 0) {
        content.selectedGroup = selection.head;
        for (core::Index head = 0; head < heads; ++head)
            content.columnGroups.append(TraceHeatmapText::tr("head %1").arg(head));
    }
    QStringList facts{placeOf(*trace, selection, perHead, options.summary),
                      shapeText(matrix.rows, matrix.columns),
                      remarkOf(*trace, selection, content, options.summary)};
    if (const auto count = static_cast<int>(content.setByHand.size()); count > 0)
        facts.append(count == 1 ? TraceHeatmapText::tr("◤ score overridden")
                                : TraceHeatmapText::tr("◤ %n scores overridden", nullptr, count));
    facts.removeAll(QString());
    content.subtitle = facts.join(QStringLiteral(" · "));
    return content;
}

} // namespace

HeatmapContent contentOf(const core::TracePointer &trace, const core::Selection &selection,
                         const FigureStyle &style, const FigureOptions &options,
                         HeatmapCache *kept) {
    const core::Selection place = withoutCell(selection);
    const auto make = [&] {
        HeatmapContent made = unselectedContentOf(trace, place, style, options);
        const core::BackwardPass *back = backwardOn(trace, options);
        return back ? gradientContentOf(std::move(made), *back, place, style, options) : made;
    };
    HeatmapContent content = kept ? kept->content(trace, place, style, options, make) : make();
    if (content.tensor.isNull())
        return content;
    const core::Selection shown =
        options.compared.shown == ComparisonSide::A ? inA(options.compared, selection) : selection;
    content.select(rowOf(shown), columnOf(shown));
    return content;
}

void addSinkColumn(HeatmapContent &content, const core::TracePointer &trace,
                   const core::Selection &selection, const FigureOptions &options) {
    constexpr core::Stage sinks = core::Stage::SinkWeights;
    const core::AttentionId attention = selection.attention();
    if (selection.stage != core::Stage::AttentionWeights || options.summary ||
        options.compared.shown != ComparisonSide::Now || backwardOn(trace, options) ||
        content.tensor.isNull() || !trace->has(sinks, attention) ||
        !trace->isReady(sinks, attention, selection.sequence, selection.head))
        return;
    const core::SharedMatrix column =
        trace->matrix(sinks, attention, selection.sequence, selection.head);
    for (core::Index row = 0; row < column.rows; ++row)
        content.beside.push_back(column(row, 0));
    content.besideLabel = sinkName();
}

} // namespace headlight::ui
