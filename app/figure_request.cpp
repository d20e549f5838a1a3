#include "app/figure_request.h"

#include "app/figure_command_line.h"
#include "app/silencing.h"
#include "app/view_checks.h"
#include "app/words.h"
#include "core/analysis/head_summary.h"
#include "core/formats/figure/figure_session.h"
#include "core/in_quotes.h"
#include "core/training/run/targets.h"
#include "ui/compute/trace_runner.h"
#include "ui/document/figure_caption.h"
#include "ui/document/snapshot.h"
#include "ui/document/step_view.h"
#include "ui/figures/files/captioned_figure.h"
#include "ui/figures/heads/heads_figure.h"
#include "ui/figures/lines/lines_figure.h"
#include "ui/figures/table/views.h"

#include <algorithm>

namespace headlight::app {

namespace {

ui::FigureStyle styleOf(const Arguments &arguments) {
    if (arguments.paper)
        return ui::FigureStyle::paper(arguments.textScale, arguments.transparent);
    return arguments.theme == "dark" ? ui::FigureStyle::dark(arguments.textScale)
                                     : ui::FigureStyle::light(arguments.textScale);
}

QStringList capturedNames(const core::Trace &trace) {
    QStringList names;
    for (const std::string &name : trace.names())
        names << QString::fromStdString(name);
    return names;
}

/// Selects the requested stage, by its full name or its last part.
core::Outcome select(const Arguments &arguments, const core::Trace &trace,
                     core::Selection &selection) {
    if (arguments.stage.isEmpty() && trace.has(selection.stage, selection.attention()))
        return core::Done{};
    const std::string name = arguments.stage.isEmpty()
                                 ? std::string(core::infoOf(selection.stage).name)
                                 : arguments.stage.toStdString();
    core::StageId place{selection.stage, selection.attention()};
    const auto full = core::findStageAnywhere(name);
    const auto shortName = core::findStage(name, selection.attention());
    // A name such as "logits" is both full and short. A full name also selects the layer, unless
    // --layer selects another one.
    if (full && (!shortName || *shortName != full->stage))
        place = *full;
    else if (shortName)
        place.stage = *shortName;
    const bool otherLayer = full && place == *full && place.attention.layer != selection.layer &&
                            arguments.request.layer && name.find("layers.") != name.npos;
    if ((full || shortName) && !otherLayer && trace.has(place.stage, place.attention)) {
        selection.stage = place.stage;
        selection.setAttention(place.attention);
        return core::Done{};
    }
    QStringList known;
    for (const core::StageInfo &info : core::allStages())
        if (trace.has(info.stage, selection.attention()))
            known << QString::fromUtf8(info.name.data(), static_cast<qsizetype>(info.name.size()));
    const QString quoted = QString::fromStdString(core::inQuotes(name));
    if (trace.model().isCaptured())
        return errorOf(
            Words::tr("%1 was not captured in layer %2").arg(quoted).arg(selection.layer),
            "--stage", Words::tr("the file contains %1").arg(capturedNames(trace).join(", ")));
    return errorOf(Words::tr("there is no stage %1").arg(quoted), "--stage",
                   Words::tr("use one of %1").arg(known.join(", ")));
}

/// Returns the requested view; otherwise the view that other options imply, or the source's own.
const ui::ViewInfo &viewOf(const Arguments &arguments, const ui::OpenedSource &opened,
                           const core::TracePointer &trace, const core::Selection &selection) {
    const ui::ViewInfo &heatmap = ui::infoOf(core::View::Heatmap);
    const ui::ViewInfo &heads = ui::infoOf(core::View::Heads);
    if (const ui::ViewInfo *asked = ui::findView(arguments.view))
        return *asked;
    if (arguments.heads == HeadChoice::All)
        return heads;
    if (!arguments.stage.isEmpty() || arguments.heads != HeadChoice::One)
        return heatmap;
    if (const ui::ViewInfo *meant = ui::findView(viewFor(arguments)))
        return *meant;
    if (const ui::ViewInfo *own = ui::findView(opened.view))
        return *own;
    return heads.canShow({.trace = trace, .selection = selection}) ? heads : heatmap;
}

/// Rejects options of a combination that cannot be shown. `count`: heads of the layer.
core::Outcome checkCombination(const Arguments &arguments, core::Stage stage, core::Index count) {
    const ui::ViewChoices &choices = arguments.choices;
    const core::Combination combination = choices.combination.value_or(core::Combination::None);
    const bool isOn = combination != core::Combination::None;
    const bool isThrough = core::isThroughLayers(combination);
    if (isOn && stage != core::Stage::AttentionWeights)
        return errorOf(Words::tr("only attention weights are combined"), "--aggregate",
                       Words::tr("leave out --stage"));
    if (isOn && (arguments.heads == HeadChoice::Mean || arguments.heads == HeadChoice::Max))
        return errorOf(Words::tr("--head and --aggregate both combine heads"), "--head",
                       Words::tr("use one of them"));
    if (choices.lineHeads && (!isOn || isThrough))
        return errorOf(isThrough ? Words::tr("all heads of all layers are combined")
                                 : Words::tr("the heads view enlarges one head"),
                       "--heads", Words::tr("add --aggregate mean or max"));
    const char *merging = choices.words ? "--units" : choices.leftOut ? "--leave-out" : nullptr;
    if (merging && combination == core::Combination::Flow)
        return errorOf(Words::tr("flows to several tokens cannot be added up"), merging,
                       Words::tr("leave it out, or use --aggregate rollout"));
    if (const char *option = merging ? merging : choices.kept ? "--keep" : nullptr; option && !isOn)
        return errorOf(Words::tr("it applies only to combined heads"), option,
                       Words::tr("add --aggregate mean or max"));
    for (const core::Index head : choices.lineHeads.value_or(ui::LineHeads()).heads)
        if (head >= count)
            return errorOf(Words::tr("there is no head %1").arg(head), "--heads",
                           Words::tr("use heads from 0 to %1").arg(count - 1));
    return core::Done{};
}

/// Rejects options that conflict with each other or do not fit the stage.
core::Outcome checkChoices(const Arguments &arguments, const core::Trace &shown,
                           const ui::ViewInfo &view, const core::Selection &selection) {
    const core::Stage stage = selection.stage;
    const core::StageInfo &info = core::infoOf(stage);
    const bool summary = arguments.heads == HeadChoice::Mean || arguments.heads == HeadChoice::Max;
    const bool ofHeads = view.view == core::View::Heads;
    if (summary && !view.has(ui::Choice::Summary))
        return errorOf(Words::tr("the mean or maximum over heads is a single heatmap"), "--head",
                       Words::tr("add --view heatmap"));
    if (arguments.heads == HeadChoice::All && !ofHeads)
        return errorOf(Words::tr("only the heads view shows all heads"), "--head",
                       Words::tr("add --view heads, or use heads such as 0 or 0-3"));
    const bool needsHeads = summary || (ofHeads && !arguments.stage.isEmpty());
    if (needsHeads && !info.perHead)
        return errorOf(Words::tr("the stage %1 is the same for all heads")
                           .arg(QString::fromStdString(core::inQuotes(info.name))),
                       summary ? "--head" : "--view",
                       Words::tr("use another stage, or one heatmap without --head"));
    if (view.has(ui::Choice::Contextual) && !arguments.stage.isEmpty())
        return errorOf(Words::tr("the similarity view compares vectors, not the cells of a stage"),
                       "--stage", Words::tr("use --contextual context or output"));
    if (ofHeads)
        if (core::Outcome outcome = checkCombination(arguments, view.shown(shown, selection).stage,
                                                     shown.model().headsOf(selection.attention()));
            !outcome)
            return outcome;
    std::optional<core::Role> role = view.role(shown, stage);
    if (role && arguments.shown == ui::ComparisonSide::Difference)
        role = core::Role::Context; // a difference is signed, even between weights
    return checkFor(arguments, view, role);
}

/// Returns the view that shows differences in place of `view`; empty if there is none.
QString viewOfDifference(core::View view) {
    switch (view) {
    case core::View::Lines:
    case core::View::Text:
    case core::View::QueryKey:
    case core::View::Softmax:
        return ui::idOf(ui::infoOf(core::View::Heads));
    case core::View::Geometry:
        return ui::idOf(ui::infoOf(core::View::Similarity));
    case core::View::CloseUp:
    case core::View::Whole:
    case core::View::Heads:
    case core::View::Similarity:
    case core::View::Output:
    case core::View::Training:
    case core::View::Words:
    case core::View::Birth:
    case core::View::Model:
    case core::View::Heatmap:
        break;
    }
    return {};
}

/// Returns an error if the view cannot compare these sides. The window shows the reason in the
/// figure instead.
core::Outcome checkComparison(const ui::ViewInfo &view, const ui::FigureInput &input) {
    const ui::UnavailableReason why = view.comparisonUnavailableReason(input);
    if (why.isEmpty())
        return core::Done{};
    if (!view.showsDifference && input.options.compared.shown == ui::ComparisonSide::Difference) {
        const QString other = viewOfDifference(view.view);
        return errorOf(why.why, "--show",
                       other.isEmpty()
                           ? Words::tr("use --show a or --show now")
                           : Words::tr("use --show a or --show now, or --view %1").arg(other));
    }
    return errorOf(why.why, "--compare",
                   input.options.compared.shown == ui::ComparisonSide::A
                       ? Words::tr("use --show now, or another source, sequence or head")
                       : Words::tr("use --show a or --show now, or another source, sequence or "
                                   "head"));
}

/// Returns the heads of --pin without duplicates.
core::Result<std::vector<core::HeadId>> pinnedHeads(const Arguments &arguments,
                                                    const core::Model &model) {
    std::vector<core::HeadId> heads;
    for (const ui::HeadName &name : arguments.pinned) {
        const core::Result<core::AttentionId> attention = ui::attentionNamed(name, model, "--pin");
        if (!attention)
            return attention.error();
        const core::HeadId head{*attention, name.head};
        if (std::ranges::find(heads, head) == heads.end())
            heads.push_back(head);
    }
    return heads;
}

/// Computes the combination of heads that the options request.
core::Outcome combineHeads(ui::FigureInput &input, const std::stop_token &stop) {
    const core::Selection shown =
        ui::infoOf(core::View::Heads).shown(*input.trace, input.selection);
    if (!combines(input.options, shown))
        return core::Done{};
    const ui::ShownRun run = ui::shownRun(input.trace, shown, input.options.compared);
    const core::AttentionId attention = run.selection.attention();
    core::Result<core::CombinedAttention> made = core::combinedAttention(
        *run.trace, attention, run.selection.sequence,
        input.options.combination.request(input.options.headLines.heads,
                                          run.trace->model().headsOf(attention)),
        stop);
    if (!made)
        return made.error();
    input.combined.made = std::make_shared<const core::CombinedAttention>(*std::move(made));
    return core::Done{};
}

/// Computes what silencing each head changes, for the model view.
core::Outcome silenceHeads(const Arguments &arguments, const ui::OpenedSource &opened,
                           ui::FigureInput &input, core::ComputedHeads &heads,
                           const std::stop_token &stop) {
    if (input.options.compared.shown != ui::ComparisonSide::Now)
        return errorOf(Words::tr("only heads of the current side can be silenced"), "--effect",
                       Words::tr("use --show now"));
    const core::Trace &trace = *input.trace;
    if (!opened.computable)
        return core::captureError();
    ui::HeadEffects effects;
    effects.isLoss = *arguments.effectOnLoss;
    effects.state = arguments.silencesByMean ? core::HeadState::Mean : core::HeadState::Zero;
    core::AblationTarget target{.state = effects.state, .withLoss = effects.isLoss};
    if (core::hasOutput(trace)) // otherwise ablateHeads() returns the error
        target.place = effects.output = core::outputPlaceOf(trace, input.selection);
    if (arguments.token) {
        const core::Result<core::Index> token = tokenNamed(trace.model(), *arguments.token);
        if (!token)
            return token.error();
        target.token = *token;
    }
    const auto found = ablatedHeads(heads, *opened.computable, input.trace, target, stop);
    if (!found)
        return found.error();
    if (effects.isLoss && !(*found)->loss)
        return errorOf(Words::tr("the text has no next tokens, so there is no loss"), "--effect",
                       Words::tr("use --effect logit"));
    effects.found = *found;
    input.model.effects = std::move(effects);
    return core::Done{};
}

/// Measures the heads for the model view, by --measure. A difference always needs a measure.
core::Outcome measureHeads(const Arguments &arguments, ui::FigureInput &input,
                           core::ComputedHeads &computed, const std::stop_token &stop) {
    const ui::Compared &compared = input.options.compared;
    const bool isDifference = compared.shown == ui::ComparisonSide::Difference;
    if (arguments.measure.isEmpty() && !isDifference)
        return core::Done{};
    const std::string name = arguments.measure.isEmpty() ? "previous" : // as in the window
                                 arguments.measure.toStdString();
    const auto measure = std::ranges::find(core::kNamedMeasures, name, &core::NamedMeasure::name);
    if (measure == core::kNamedMeasures.end())
        return errorOf(
            Words::tr("the model view has no measure %1").arg(arguments.measure), "--measure",
            Words::tr("use one of %1").arg(ui::eachOf(core::kNamedMeasures, [](const auto &each) {
                                               return each.name;
                                           }).join(", ")));
    if (!isDifference) {
        input.model.numbers = ui::numbersOf(*measure, *input.model.glances);
        return core::Done{};
    }
    const core::ComparedSide now{*input.trace, input.selection.sequence},
        a{*compared.a, ui::inA(compared, input.selection).sequence};
    const core::TokenPartnersPointer partners = core::partnersOf(now, a, compared.partners, stop);
    const auto heads = computed.compared(now, a, partners->texts(), stop);
    if (!heads)
        return heads.error();
    input.model.numbers = ui::changesOf(*measure, **heads);
    return core::Done{};
}

core::Outcome checkFigure(const ui::ViewInfo &view, const ui::Figure &figure) {
    const QString why = view.nothingIn(figure);
    if (why.isEmpty())
        return core::Done{};
    return view.has(ui::Choice::Planes)
               ? errorOf(why, "--view", Words::tr("use another --space or view"))
               : errorOf(why, "--view", Words::tr("use another view"));
}

} // namespace

bool mayShowModel(const Arguments &arguments, const ui::OpenedSource &opened) {
    const QString model = ui::idOf(ui::infoOf(core::View::Model));
    if (!arguments.view.isEmpty())
        return arguments.view == model;
    const QString meant = viewFor(arguments);
    return meant == model || (meant.isEmpty() && opened.view == model);
}

core::Result<FigurePointer> figureOf(const Arguments &arguments, const ui::OpenedSource &opened,
                                     const core::TracePointer &computed,
                                     const ui::Compared &compared, ComputedOnce &once,
                                     const std::stop_token &stop) {
    core::Selection selection = opened.selection;
    if (core::Outcome outcome = select(arguments, *computed, selection); !outcome)
        return outcome.error();
    const auto asked = ui::DetailRequest::of(selection);
    if (once.prepared && once.attention != asked.at.attention)
        once.prepared.reset(); // frees the layer before another one is computed
    const core::Result<core::TracePointer> prepared =
        ui::preparedFor(asked, once.prepared ? once.prepared : computed, stop);
    if (!prepared)
        return prepared.error();
    const core::TracePointer &trace = *prepared;
    once.prepared = trace;
    once.attention = asked.at.attention;
    const ui::ViewInfo &view = viewOf(arguments, opened, trace, selection);
    ui::FigureInput input{.trace = trace, .selection = selection, .style = styleOf(arguments)};
    input.training = opened.state.training;
    input.softmax = opened.state.softmax;
    const core::ViewOptions look = opened.session.lesson
                                       ? ui::lookOfStep(opened.session, opened.state.lessonStep)
                                       : core::ViewOptions();
    input.options.granularity = look.granularity;
    if (selection.query) // the lesson step's query may not exist in another text
        input.options.plane.axes = look.axes;
    input.options.plane.spaces = look.spaces;
    apply(arguments.choices, input.options, input.style);
    input.options.title = arguments.title;
    input.options.compared = compared;
    if (arguments.heads == HeadChoice::Mean)
        input.options.summary = core::HeadSummary::Mean;
    if (arguments.heads == HeadChoice::Max)
        input.options.summary = core::HeadSummary::Maximum;
    const core::Trace &shown =
        compared.shown == ui::ComparisonSide::A && compared.a ? *compared.a : *trace;
    if (core::Outcome outcome = checkChoices(arguments, shown, view, selection); !outcome)
        return outcome.error();
    if (core::Outcome outcome = checkComparison(view, input); !outcome)
        return outcome.error();
    if (core::Outcome outcome = view.canShow(input); !outcome)
        return outcome.error();
    if (arguments.choices.gradients) {
        if (const ui::UnavailableReason why = ui::gradientsUnavailableReason(compared.shown);
            !why.isEmpty())
            return errorOf(why.why, "--way-back", Words::tr("use --show now"));
        const core::TrainingRunPointer &run = input.training;
        const core::TaskPointer task = run ? core::findTask(run->recipe.task) : nullptr;
        if (!once.backwardPass) {
            const core::Result<core::BackwardPassPointer> backwardPass =
                core::runBackward(trace, core::taskTargetsOf(*trace, task.get()), stop);
            if (!backwardPass)
                return backwardPass.error();
            once.backwardPass = *backwardPass;
        } else if (once.backwardPass->trace != trace) { // same values, but for another trace
            auto ofPage = std::make_shared<core::BackwardPass>(*once.backwardPass);
            ofPage->trace = trace;
            once.backwardPass = std::move(ofPage);
        }
        input.options.backwardPass = once.backwardPass;
    }
    if (view.view == core::View::Birth) {
        if (!once.birth) {
            const core::Recipe &recipe = input.training->recipe;
            const auto run = core::recordRun(recipe, core::findTask(recipe.task), stop);
            if (!run)
                return run.error();
            once.birth = *run;
        }
        input.birth = once.birth;
    }
    if (view.view == core::View::Model) {
        core::Result<std::vector<core::HeadId>> pinned = pinnedHeads(arguments, trace->model());
        if (!pinned)
            return pinned.error();
        input.model.pinned = *std::move(pinned);
        const ui::ShownRun run = ui::shownRun(trace, selection, compared);
        const auto glances = once.heads.glances(*run.trace, run.selection.sequence, stop);
        if (!glances)
            return glances.error();
        input.model.glances = *glances;
        if (core::Outcome outcome = measureHeads(arguments, input, once.heads, stop); !outcome)
            return outcome.error();
        if (arguments.effectOnLoss)
            if (core::Outcome outcome = silenceHeads(arguments, opened, input, once.heads, stop);
                !outcome)
                return outcome.error();
    }
    if (view.view == core::View::Heads)
        if (core::Outcome outcome = combineHeads(input, stop); !outcome)
            return outcome.error();
    FigurePointer figure = view.makeFigure(input);
    if (auto *heads = dynamic_cast<ui::HeadsFigure *>(figure.get()))
        if (core::Outcome made = heads->sampleMissing(*trace, view.shown(*trace, selection), stop);
            !made)
            return made.error();
    if (auto *lines = dynamic_cast<ui::LinesFigure *>(figure.get()))
        if (core::Outcome made = lines->findMissing(stop); !made)
            return made.error();
    if (core::Outcome outcome = checkFigure(view, *figure); !outcome)
        return outcome.error();
    if (!view.showsSelectedStage)
        selection.stage = view.captioned(*trace, selection, input.options);
    const QString own = view.has(ui::Choice::Softmax) ? ui::captionOf(input.softmax) : QString();
    const QString caption =
        arguments.caption == "auto"
            ? !own.isEmpty()
                  ? own
                  : ui::withComparison(
                        ui::suggestedCaption(opened.session, opened.state, selection), compared)
            : arguments.caption;
    return ui::captioned(std::move(figure), caption, input.style);
}

std::string carriedBy(const Arguments &arguments, const ui::OpenedSource &opened,
                      const core::TracePointer &trace) {
    if (!arguments.session)
        return {};
    ui::Snapshot snapshot{std::make_shared<const core::Session>(opened.session),
                          opened.state,
                          opened.selection,
                          {},
                          opened.seed};
    if (!select(arguments, *trace, snapshot.selection))
        return {};
    const ui::ViewInfo &view = viewOf(arguments, opened, trace, snapshot.selection);
    snapshot.view = ui::isTab(view) ? ui::idOf(view) : opened.view;
    core::FigureSession figure;
    for (const QString &word : withoutFolders(arguments.words))
        figure.arguments.push_back(word.toStdString());
    figure.session = snapshot.carriedBytes();
    return core::figureText(figure);
}

} // namespace headlight::app
