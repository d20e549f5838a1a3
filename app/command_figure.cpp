#include "app/commands.h"

#include "app/interrupt.h"
#include "core/analysis/head_summary.h"
#include "ui/figures/export.h"
#include "ui/figures/flow_figure.h"
#include "ui/figures/heads_figure.h"
#include "ui/figures/heatmap_figure.h"
#include "ui/window/figure_fonts.h"

#include <QGuiApplication>

namespace headlight::app {

namespace {

ui::FigureStyle styleOf(const Arguments &arguments) {
    return arguments.theme == "dark" ? ui::FigureStyle::dark() : ui::FigureStyle::light();
}

/// The heads and the stage that were asked for, laid over what the source shows.
core::Outcome select(const Arguments &arguments, const core::Trace &trace,
                     core::Selection &selection) {
    if (arguments.stage.isEmpty())
        return core::Done{};
    const auto stage = core::findStage(arguments.stage.toStdString(), selection.layer);
    if (stage && trace.has(*stage, selection.layer)) {
        selection.stage = *stage;
        return core::Done{};
    }
    std::string known;
    for (const core::StageInfo &info : core::allStages())
        if (trace.has(info.stage, selection.layer))
            known += (known.empty() ? "" : ", ") + std::string(info.name);
    return core::Error{"this source has no stage '" + arguments.stage.toStdString() + "'",
                       "--stage", "it has " + known};
}

core::Result<std::unique_ptr<ui::Figure>> figureOf(const Arguments &arguments,
                                                   const ui::OpenedSource &opened,
                                                   const core::TracePointer &trace) {
    core::Selection selection = opened.selection;
    if (core::Outcome outcome = select(arguments, *trace, selection); !outcome)
        return outcome.error();
    ui::FigureOptions options;
    options.title = arguments.title;
    if (!arguments.colors.isEmpty())
        options.colours = ui::findColourMap(arguments.colors);
    const ui::FigureStyle style = styleOf(arguments);
    QString view = arguments.view;
    if (view.isEmpty() && arguments.heads == HeadChoice::All)
        view = "heads";
    if (view.isEmpty() && (!arguments.stage.isEmpty() || arguments.heads != HeadChoice::One))
        view = "heatmap";
    if (view.isEmpty())
        view = opened.view.isEmpty() ? "heads" : opened.view;
    if (arguments.heads == HeadChoice::Mean || arguments.heads == HeadChoice::Max) {
        if (view != "heatmap")
            return core::Error{"the mean or maximum over heads is a single heatmap", "--head",
                               "add --view heatmap"};
        return ui::aggregateHeatmap(trace, selection,
                                    arguments.heads == HeadChoice::Mean
                                        ? core::HeadSummary::Mean
                                        : core::HeadSummary::Maximum,
                                    style, options);
    }
    if (view == "flow")
        return std::unique_ptr<ui::Figure>(std::make_unique<ui::FlowFigure>(
            ui::FlowFigure::fromTrace(trace, selection, style, options)));
    if (view == "heads")
        return std::unique_ptr<ui::Figure>(std::make_unique<ui::HeadsFigure>(
            ui::HeadsFigure::fromTrace(trace, selection, style, options)));
    return std::unique_ptr<ui::Figure>(std::make_unique<ui::HeatmapFigure>(
        ui::HeatmapFigure::fromTrace(trace, selection, style, options)));
}

} // namespace
