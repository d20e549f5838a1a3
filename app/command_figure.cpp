#include "app/commands.h"

#include "app/interrupt.h"
#include "core/analysis/head_summary.h"
#include "ui/figures/export.h"
#include "ui/figures/flow_figure.h"
#include "ui/figures/heads_figure.h"
#include "ui/figures/heatmap_figure.h"

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

using FigurePointer = std::unique_ptr<ui::Figure>;

/// The view that was asked for; else the one that the other options mean; else the source's own.
QString viewOf(const Arguments &arguments, const ui::OpenedSource &opened) {
    if (!arguments.view.isEmpty())
        return arguments.view;
    if (arguments.heads == HeadChoice::All)
        return "heads";
    if (!arguments.stage.isEmpty() || arguments.heads != HeadChoice::One)
        return "heatmap";
    return opened.view.isEmpty() ? "heads" : opened.view;
}

core::Result<FigurePointer> figureOf(const Arguments &arguments, const ui::OpenedSource &opened,
                                     const core::TracePointer &trace) {
    core::Selection selection = opened.selection;
    if (core::Outcome outcome = select(arguments, *trace, selection); !outcome)
        return outcome.error();
    ui::FigureOptions options;
    options.title = arguments.title;
    if (!arguments.colors.isEmpty())
        options.colours = ui::findColourMap(arguments.colors);
    const ui::FigureStyle style = styleOf(arguments);
    const QString view = viewOf(arguments, opened);
    const bool summary = arguments.heads == HeadChoice::Mean || arguments.heads == HeadChoice::Max;
    if (summary && view != "heatmap")
        return core::Error{"the mean or maximum over heads is a single heatmap", "--head",
                           "add --view heatmap"};
    if (arguments.heads == HeadChoice::All && view != "heads")
        return core::Error{"only the heads view shows all heads", "--head all",
                           "add --view heads, or give one head"};
    if (summary)
        options.summary = arguments.heads == HeadChoice::Mean ? core::HeadSummary::Mean
                                                              : core::HeadSummary::Maximum;
    if (view == "flow")
        return FigurePointer(std::make_unique<ui::FlowFigure>(
            ui::FlowFigure::fromTrace(trace, selection, style, options)));
    if (view == "heads")
        return FigurePointer(std::make_unique<ui::HeadsFigure>(
            ui::HeadsFigure::fromTrace(trace, selection, style, options)));
    return FigurePointer(std::make_unique<ui::HeatmapFigure>(
        ui::HeatmapFigure::fromTrace(trace, selection, style, options)));
}

void dropMessage(QtMsgType, const QMessageLogContext &, const QString &) {}

} // namespace

int runFigure(const Arguments &arguments, std::stop_token stop) {
    const core::Result<ui::OpenedSource> opened = openFor(arguments);
    if (!opened)
        return fail(opened.error());
    const core::Result<core::TracePointer> trace = traceOf(*opened, stop);
    if (stop.stop_requested())
        return kInterrupted;
    if (!trace)
        return fail(trace.error());

    // Fonts need a GUI application, but no display; what Qt has to say about that is nobody's
    // business.
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qInstallMessageHandler(dropMessage);
    char name[] = "headlight";
    char *words[] = {name, nullptr};
    int count = 1;
    const QGuiApplication application(count, words);

    const core::Result<FigurePointer> figure = figureOf(arguments, *opened, *trace);
    if (!figure)
        return fail(figure.error());
    ui::ExportOptions options;
    options.size = arguments.size;
    options.scale = arguments.scale;
    options.title =
        arguments.title.isEmpty() ? QString::fromStdString(opened->session.title) : arguments.title;
    options.description = arguments.recipe;
    const core::Result<QByteArray> bytes =
        ui::render(**figure, *ui::formatOf("." + arguments.format), options);
    if (stop.stop_requested())
        return kInterrupted;
    if (!bytes)
        return fail(bytes.error());
    return writeOutput(arguments.output,
                       {bytes->constData(), static_cast<std::size_t>(bytes->size())});
}

} // namespace headlight::app
