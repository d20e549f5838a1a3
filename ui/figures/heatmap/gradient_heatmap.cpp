#include "ui/figures/heatmap/gradient_heatmap.h"

#include "core/analysis/head_summary.h"
#include "ui/figures/heatmap/cell_place.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/text/stage_formula.h"
#include "ui/text/stage_titles.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

struct GradientText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::GradientText)
};

/// Returns the gradient in the same form as the values from tensorOf().
core::Tensor gradientOf(const core::BackwardPass &backwardPass, core::Stage stage,
                        core::AttentionId attention) {
    if (attention.layer > 0 && core::infoOf(stage).part == core::Part::Embedding)
        stage = core::Stage::LayerInput;
    const core::Tensor tensor = backwardPass.gradient(stage, attention);
    if (tensor.isNull() || !rowsAreSequences(stage))
        return tensor;
    return core::Tensor({1, tensor.shape()[0], tensor.shape()[1]}, tensor.values());
}

} // namespace

const core::BackwardPass *backwardOn(const core::TracePointer &trace,
                                     const FigureOptions &options) {
    const bool isOn = options.backwardPass && options.backwardPass->trace == trace &&
                      options.compared.shown == ComparisonSide::Now;
    return isOn ? options.backwardPass.get() : nullptr;
}

QString gradientSymbol(const QString &symbol) {
    return QStringLiteral("∂loss/") + briefGradientSymbol(symbol);
}

QString briefGradientSymbol(const QString &symbol) {
    return symbol.contains(QLatin1Char(' ')) ? QStringLiteral("∂(%1)").arg(symbol)
                                             : QStringLiteral("∂%1").arg(symbol);
}

HeatmapContent gradientContentOf(HeatmapContent content, const core::BackwardPass &backwardPass,
                                 const core::Selection &selection, const FigureStyle &style,
                                 const FigureOptions &options) {
    const core::Trace &trace = *backwardPass.trace;
    const core::Stage named = namedStage(selection.stage, selection.layer);
    if (options.title.isEmpty())
        content.title = GradientText::tr("%1  gradient of: %2")
                            .arg(gradientSymbol(symbolText(trace, {named, selection.attention()})),
                                 titleOf(trace.model(), named));
    content.tensor = gradientOf(backwardPass, selection.stage, selection.attention());
    content.setByHand.clear();
    if (content.tensor.isNull()) {
        content.absence = GradientText::tr("The loss does not depend on this stage");
        return content;
    }
    const MatrixIndex place = matrixPlace(trace, content.tensor, selection);
    content.sequence = place.sequence;
    content.head = options.summary ? 0 : place.head;
    if (options.summary)
        content.tensor = core::summarizeHeads(content.tensor, *options.summary);
    // Gradients are signed, even those of attention weights.
    const Range range = options.range == Range::Fixed ? Range::PerHead : options.range;
    content.setScale(ColourScale::of(content.tensor, content.sequence, content.head,
                                     style.mapOf(core::Role::Scores), range, content.mask.get()),
                     style, options);
    const core::SharedMatrix matrix = content.matrix();
    content.subtitle = GradientText::tr("%1 · how the loss changes with each value")
                           .arg(shapeText(matrix.rows, matrix.columns));
    return content;
}

} // namespace headlight::ui
