#include "app/figure_request.h"

#include "app/recipe.h"
#include "app/words.h"
#include "core/analysis/head_summary.h"
#include "core/formats/figure/figure_session.h"
#include "core/in_quotes.h"
#include "ui/compute/trace_runner.h"
#include "ui/document/figure_caption.h"
#include "ui/document/snapshot.h"
#include "ui/figures/files/captioned_figure.h"
#include "ui/figures/flow/flow_figure.h"
#include "ui/figures/geometry/geometry_figure.h"
#include "ui/figures/heads/heads_figure.h"
#include "ui/figures/heatmap/heatmap_figure.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/similarity/similarity_figure.h"

namespace headlight::app {

namespace {

ui::FigureStyle styleOf(const Arguments &arguments) {
    if (arguments.paper)
        return ui::FigureStyle::paper(arguments.textScale, arguments.transparent);
    return arguments.theme == "dark" ? ui::FigureStyle::dark(arguments.textScale)
                                     : ui::FigureStyle::light(arguments.textScale);
}

/// A trace that was read, not computed.
bool isCaptured(const core::Trace &trace) {
    return trace.model().weights.main.layers.front().selfAttention.query == nullptr;
}

QStringList capturedNames(const core::Trace &trace) {
    QStringList names;
    for (const std::string &name : trace.names())
        names << QString::fromStdString(name);
    return names;
}

/// The stage that was asked for, by its full name or its last part, laid over what the source
/// shows.
core::Outcome select(const Arguments &arguments, const core::Trace &trace,
                     core::Selection &selection) {
    if (arguments.stage.isEmpty() && trace.has(selection.stage, selection.site()))
        return core::Done{};
    const std::string name = arguments.stage.isEmpty()
                                 ? std::string(core::infoOf(selection.stage).name)
                                 : arguments.stage.toStdString();
    core::StageAt place{selection.stage, selection.site()};
    const auto full = core::findStageAnywhere(name);
    const auto shortName = core::findStage(name, selection.site());
    // A name such as "logits" is both; a full one says its place, unless --layer says another.
    if (full && (!shortName || *shortName != full->stage))
        place = *full;
    else if (shortName)
        place.stage = *shortName;
    const bool otherLayer = full && place == *full && place.site.layer != selection.layer &&
                            arguments.request.layer && name.find("layers.") != name.npos;
    if ((full || shortName) && !otherLayer && trace.has(place.stage, place.site)) {
        selection.stage = place.stage;
        selection.setSite(place.site);
        return core::Done{};
    }
    QStringList known;
    for (const core::StageInfo &info : core::allStages())
        if (trace.has(info.stage, selection.site()))
            known << QString::fromUtf8(info.name.data(), static_cast<qsizetype>(info.name.size()));
    const QString quoted = QString::fromStdString(core::inQuotes(name));
    if (isCaptured(trace))
        return errorOf(
            Words::tr("%1 was not captured in layer %2").arg(quoted).arg(selection.layer),
            "--stage", Words::tr("the file holds %1").arg(capturedNames(trace).join(", ")));
    return errorOf(Words::tr("there is no stage %1").arg(quoted), "--stage",
                   Words::tr("there are %1").arg(known.join(", ")));
}

/// The heads view has something to show: the stage, or the weights that stand for it.
bool hasHeads(const core::Trace &trace, const core::Selection &selection) {
    return core::infoOf(selection.stage).perHead ||
           trace.has(core::Stage::Weights, selection.site());
}

/// The view that was asked for; else the one that the other options mean; else the source's own.
QString viewOf(const Arguments &arguments, const ui::OpenedSource &opened, const core::Trace &trace,
               const core::Selection &selection) {
    if (!arguments.view.isEmpty())
        return arguments.view;
    if (arguments.heads == HeadChoice::All)
        return "heads";
    if (!arguments.stage.isEmpty() || arguments.heads != HeadChoice::One)
        return "heatmap";
    if (const QString view = viewFor(arguments.choices); !view.isEmpty())
        return view;
    if (!opened.view.isEmpty())
        return opened.view;
    return hasHeads(trace, selection) ? "heads" : "heatmap";
}

/// Options that make no sense together, or not with this stage.
core::Outcome checkChoices(const Arguments &arguments, const core::Trace &shown,
                           const QString &view, core::Stage stage) {
    const core::StageInfo &info = core::infoOf(stage);
    const bool summary = arguments.heads == HeadChoice::Mean || arguments.heads == HeadChoice::Max;
    if (summary && view != "heatmap")
        return errorOf(Words::tr("the mean or maximum over heads is a single heatmap"), "--head",
                       Words::tr("add --view heatmap"));
    if (arguments.heads == HeadChoice::All && view != "heads")
        return errorOf(Words::tr("only the heads view shows all heads"), "--head",
                       Words::tr("add --view heads, or give one head"));
    const bool needsHeads = summary || (view == "heads" && !arguments.stage.isEmpty());
    if (needsHeads && !info.perHead)
        return errorOf(Words::tr("the stage %1 is the same for all heads")
                           .arg(QString::fromStdString(core::inQuotes(info.name))),
                       summary ? "--head" : "--view",
                       Words::tr("give another stage, or one heatmap without --head"));
    if (view == "similarity" && !arguments.stage.isEmpty())
        return errorOf(Words::tr("the similarity view compares vectors, not the cells of a stage"),
                       "--stage", Words::tr("give --contextual context or output"));
    // In the heads view a stage without heads gives way to the weights; cosines have a sign; in the
    // flow there are both kinds of numbers.
    std::optional<core::Role> role;
    if (view == "heads" && !info.perHead)
        role = ui::colourRoleOf(shown, core::Stage::Weights);
    else if (view == "similarity")
        role = core::Role::Context;
    else if (view != "flow" && view != "geometry")
        role = ui::colourRoleOf(shown, stage);
    if (role && arguments.shown == ui::Shown::Difference)
        role = core::Role::Context; // whatever it was, a change has a sign
    return checkFor(arguments.choices, view, role);
}

/// A window says in the figure why the sides cannot be compared, a command as an error.
core::Outcome isComparable(const QString &whyNot) {
    if (whyNot.isEmpty())
        return core::Done{};
    return errorOf(whyNot, "--compare", Words::tr("give another source, sequence or head"));
}

/// Of the stage that the view shows large.
core::Outcome checkComparison(const core::Trace &trace, const QString &view,
                              core::Selection selection, const ui::FigureOptions &options) {
    if (view == "flow")
        selection = ui::FlowFigure::shown(trace, selection);
    if (view == "heads" && !core::infoOf(selection.stage).perHead)
        selection.stage = core::Stage::Weights;
    return isComparable(ui::whyNot(trace, selection, options.compared, options.compared.shown,
                                   options.summary.has_value()));
}

} // namespace

core::Result<FigurePointer> figureOf(const Arguments &arguments, const ui::OpenedSource &opened,
                                     const core::TracePointer &computed,
                                     const ui::Compared &compared, const std::stop_token &stop) {
    core::Selection selection = opened.selection;
    if (core::Outcome outcome = select(arguments, *computed, selection); !outcome)
        return outcome.error();
    const core::Result<core::TracePointer> prepared =
        ui::preparedFor(ui::Look::of(selection), computed, stop);
    if (!prepared)
        return prepared.error();
    const core::TracePointer &trace = *prepared;
    const QString view = viewOf(arguments, opened, *trace, selection);
    if (view == "heads" && !hasHeads(*trace, selection))
        return errorOf(Words::tr("no stage of the heads was captured"), "--view",
                       Words::tr("give heatmap"));
    if (view == "flow" && isCaptured(*trace))
        return errorOf(Words::tr("how a capture was computed was not captured"), "--view",
                       Words::tr("give heatmap or heads"));
    const core::Trace &shown = compared.shown == ui::Shown::A && compared.a ? *compared.a : *trace;
    if (core::Outcome outcome = checkChoices(arguments, shown, view, selection.stage); !outcome)
        return outcome.error();
    ui::FigureOptions options;
    ui::FigureStyle style = styleOf(arguments);
    apply(arguments.choices, options, style);
    options.title = arguments.title;
    options.compared = compared;
    if (arguments.heads == HeadChoice::Mean)
        options.summary = core::HeadSummary::Mean;
    if (arguments.heads == HeadChoice::Max)
        options.summary = core::HeadSummary::Maximum;
    if (view == "flow" && selection.stage == core::Stage::HeadOutputs)
        return errorOf(Words::tr("the flow goes from the context of the heads to the output, and "
                                 "has no matrix for what each head adds to it"),
                       "--stage", Words::tr("give --view heatmap or heads"));
    FigurePointer figure;
    if (view == "flow")
        figure = std::make_unique<ui::FlowFigure>(
            ui::FlowFigure::fromTrace(trace, selection, style, options));
    else if (view == "similarity") {
        selection.stage =
            ui::SimilarityFigure::comparedStage(*trace, selection.site(), options.contextual);
        if (!trace->has(core::Stage::Embeddings, selection.site()) &&
            !trace->has(selection.stage, selection.site()))
            return errorOf(Words::tr("there are no vectors to compare"), "--view",
                           Words::tr("give heatmap or heads"));
        auto similarity = std::make_unique<ui::SimilarityFigure>(
            ui::SimilarityFigure::fromTrace(trace, selection, style, options));
        if (core::Outcome outcome = isComparable(similarity->heatmap(1).content().absence);
            !outcome)
            return outcome.error();
        figure = std::move(similarity);
    } else if (view == "geometry") {
        if (compared.shown == ui::Shown::Difference)
            return errorOf(ui::GeometryFigure::noDifference(), "--show",
                           Words::tr("give --show a or --show now"));
        auto geometry = std::make_unique<ui::GeometryFigure>(
            ui::GeometryFigure::fromTrace(trace, selection, style, options));
        if (const QString nothing = geometry->nothing(); !nothing.isEmpty())
            return errorOf(nothing, "--view", Words::tr("give another --space or view"));
        figure = std::move(geometry);
    } else if (view == "heads")
        figure = std::make_unique<ui::HeadsFigure>(
            ui::HeadsFigure::fromTrace(trace, selection, style, options));
    else
        figure = std::make_unique<ui::HeatmapFigure>(
            ui::HeatmapFigure::fromTrace(trace, selection, style, options));
    if (view == "geometry")
        selection.stage = ui::GeometryFigure::captionedStage(options.plane.spaces);
    else if (core::Outcome outcome = checkComparison(*trace, view, selection, options); !outcome)
        return outcome.error();
    const QString caption =
        arguments.caption == "auto"
            ? ui::withComparison(ui::suggestedCaption(opened.session, opened.state, selection),
                                 compared)
            : arguments.caption;
    return ui::captioned(std::move(figure), caption, style);
}

std::string carriedBy(const Arguments &arguments, const ui::OpenedSource &opened,
                      const core::TracePointer &trace) {
    if (!arguments.session || isCaptured(*trace))
        return {};
    ui::Snapshot snapshot{std::make_shared<const core::Session>(opened.session),
                          opened.state,
                          opened.selection,
                          {},
                          opened.seed};
    if (!select(arguments, *trace, snapshot.selection))
        return {};
    const QString view = viewOf(arguments, opened, *trace, snapshot.selection);
    snapshot.view = view == "heatmap" ? opened.view : view; // a single heatmap is no tab
    core::FigureSession figure;
    for (const QString &word : withoutFolders(arguments.words))
        figure.arguments.push_back(word.toStdString());
    figure.session = snapshot.bytes();
    return core::figureText(figure);
}

} // namespace headlight::app
