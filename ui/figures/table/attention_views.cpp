#include "ui/figures/table/attention_views.h"

#include "core/analysis/head_glances.h"
#include "ui/figures/heads/heads_figure.h"
#include "ui/figures/lines/lines_figure.h"
#include "ui/figures/model/model_figure.h"
#include "ui/figures/parts/model_parts.h"
#include "ui/figures/query_key/query_key_figure.h"
#include "ui/figures/tinted_text/tinted_text_figure.h"
#include "ui/text/core_message.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

struct AttentionViewText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Views)
};

ShownRun runShownIn(const FigureInput &input) {
    return shownRun(input.trace, input.selection, input.options.compared);
}

core::Outcome needs(const FigureInput &input, core::Stage stage, const QString &otherwise) {
    const ShownRun run = runShownIn(input);
    if (run.trace->has(stage, run.selection.attention()))
        return core::Done{};
    return core::Error{messageOf(otherwise), "--view",
                       messageOf(AttentionViewText::tr("use another layer or view"))};
}

/// Returns why a stage of the selected attention module is not available.
UnavailableReason stageUnavailableReason(const FigureInput &input, core::Stage stage) {
    const Compared &compared = input.options.compared;
    return unavailableReason(*input.trace,
                             atStage(input.selection, {stage, input.selection.attention()}),
                             compared, compared.shown, Sought::Head);
}

} // namespace

std::unique_ptr<Figure> madeHeads(const FigureInput &input) {
    return std::make_unique<HeadsFigure>(
        HeadsFigure::fromTrace(input.trace, input.selection, input.style, input.options, input.kept,
                               input.combined, input.headChanges));
}

core::Stage stageOfHeads(core::Stage stage) {
    return core::infoOf(stage).perHead ? stage : core::Stage::AttentionWeights;
}

core::Selection shownHeads(const core::Trace &, const core::Selection &selection) {
    return atStage(selection, {stageOfHeads(selection.stage), selection.attention()});
}

std::unique_ptr<Figure> madeModel(const FigureInput &input) {
    return std::make_unique<ModelFigure>(ModelFigure::of(input.trace, input.selection, input.style,
                                                         input.options, input.model, input.kept));
}

core::Selection shownScores(const core::Trace &, const core::Selection &selection) {
    return atStage(selection, {core::Stage::Scores, selection.attention()});
}

core::Outcome canShowHeads(const FigureInput &input) {
    if (core::infoOf(input.selection.stage).perHead ||
        runShownIn(input).trace->has(core::Stage::AttentionWeights, input.selection.attention()))
        return core::Done{};
    return core::Error{messageOf(AttentionViewText::tr("no stage with heads was captured")),
                       "--view", messageOf(AttentionViewText::tr("use --view heatmap"))};
}

core::Outcome canShowText(const FigureInput &input) {
    return needs(input, core::Stage::AttentionWeights,
                 AttentionViewText::tr("there are no attention weights here"));
}

core::Outcome canShowModel(const FigureInput &input) {
    if (!core::attentionsWithWeights(*runShownIn(input).trace).empty())
        return core::Done{};
    return core::Error{messageOf(AttentionViewText::tr("no attention weights were captured")),
                       "--view", messageOf(AttentionViewText::tr("use --view heatmap"))};
}

core::Outcome canShowLines(const FigureInput &input) {
    if (core::Outcome outcome = canShowText(input); !outcome)
        return outcome;
    const ShownRun run = runShownIn(input);
    const core::Index count = run.trace->model().headsOf(run.selection.attention());
    for (const core::Index head : input.options.headLines.heads.heads)
        if (head >= count)
            return core::Error{
                messageOf(AttentionViewText::tr("there is no head %1").arg(head)), "--heads",
                messageOf(AttentionViewText::tr("use heads from 0 to %1").arg(count - 1))};
    return core::Done{};
}

core::Outcome canShowQueryKey(const FigureInput &input) {
    for (const core::Stage stage : {core::Stage::Query, core::Stage::Key})
        if (core::Outcome outcome =
                needs(input, stage, AttentionViewText::tr("there are no queries and keys here"));
            !outcome)
            return outcome;
    if (!input.selection.query)
        return core::Error{messageOf(AttentionViewText::tr("no query token is selected")),
                           "--query",
                           messageOf(AttentionViewText::tr("give the index of a token"))};
    return core::Done{};
}

UnavailableReason headsUnavailableReason(const FigureInput &input) {
    const Compared &compared = input.options.compared;
    const core::Selection shown = shownHeads(*input.trace, input.selection);
    const UnavailableReason why =
        unavailableReason(*input.trace, shown, compared, compared.shown, Sought::Matrix);
    return why.isEmpty() && combines(input.options, shown)
               ? combinationUnavailableReason(compared.shown)
               : why;
}

UnavailableReason weightsUnavailableReason(const FigureInput &input) {
    return stageUnavailableReason(input, core::Stage::AttentionWeights);
}

UnavailableReason queryUnavailableReason(const FigureInput &input) {
    return stageUnavailableReason(input, core::Stage::Query);
}

QString nothingOfHeads(const Figure &figure) {
    return static_cast<const HeadsFigure &>(figure).combinedUnavailableReason();
}

QString nothingOfModel(const Figure &figure) {
    return static_cast<const ModelFigure &>(figure).nothing();
}

QString nothingOfLines(const Figure &figure) {
    return static_cast<const LinesFigure &>(figure).content().nothing;
}

QString nothingOfText(const Figure &figure) {
    return static_cast<const TintedTextFigure &>(figure).content().nothing;
}

QString nothingOfQueryKey(const Figure &figure) {
    return static_cast<const QueryKeyFigure &>(figure).content().nothing;
}

} // namespace headlight::ui
