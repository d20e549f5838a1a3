#include "app/commands.h"

#include "app/compared_source.h"

#include "app/figure_request.h"
#include "app/interrupt.h"
#include "app/words.h"
#include "core/formats/figure_session.h"
#include "ui/figures/export.h"

#include <QGuiApplication>

namespace headlight::app {

namespace {

/// The bytes of the picture. Fonts need a GUI application, but no display; what the libraries have
/// to say about that is nobody's business.
core::Result<QByteArray> picture(const Arguments &arguments, const ui::OpenedSource &opened,
                                 const core::TracePointer &trace, const ui::Compared &compared) {
    const QuietLibraries quiet;
    qputenv("QT_QPA_PLATFORM", "offscreen");
    char name[] = "headlight";
    char *words[] = {name, nullptr};
    int count = 1;
    const QGuiApplication application(count, words);

    const core::Result<FigurePointer> figure = figureOf(arguments, opened, trace, compared);
    if (!figure)
        return figure.error();
    ui::ExportOptions options;
    options.size = arguments.size;
    options.scale = arguments.scale;
    options.title =
        arguments.title.isEmpty() ? QString::fromStdString(opened.session.title) : arguments.title;
    options.description = arguments.recipe;
    options.session = carriedBy(arguments, opened, trace);
    return ui::render(**figure, *ui::formatOf("." + arguments.format), options);
}

/// A figure that is painted again brings its options with it.
core::Result<Arguments> withCarried(const Arguments &arguments) {
    if (ui::kindOfSource(arguments.request.source) != ui::SourceKind::Figure)
        return arguments;
    const core::Result<core::FigureSession> figure =
        core::readFigureFile(arguments.request.source.toStdString());
    if (!figure)
        return figure.error();
    QStringList words;
    for (const std::string &word : figure->arguments)
        words << QString::fromStdString(word);
    ParsedArguments parsed = paintedAgain(arguments, words);
    if (auto *again = std::get_if<Arguments>(&parsed))
        return std::move(*again);
    const auto *problem = std::get_if<UsageError>(&parsed);
    return core::Error{problem ? problem->text.toStdString() : "it asks for help",
                       arguments.request.source.toStdString(),
                       Words::tr("open it in the window").toStdString()};
}

} // namespace

int runFigure(const Arguments &typed, std::stop_token stop) {
    const core::Result<Arguments> carried = withCarried(typed);
    if (!carried)
        return fail(carried.error());
    const Arguments &arguments = *carried;
    const core::Result<SourceAndTrace> source = openAndTrace(arguments, stop);
    if (stop.stop_requested())
        return kInterrupted;
    if (!source)
        return fail(source.error());
    const core::Result<ui::Compared> compared = comparedWith(arguments, *source, stop);
    if (stop.stop_requested())
        return kInterrupted;
    if (!compared)
        return fail(compared.error());
    const core::Result<QByteArray> bytes =
        picture(arguments, source->opened, source->trace, *compared);
    if (stop.stop_requested())
        return kInterrupted;
    if (!bytes)
        return fail(bytes.error());
    return writeOutput(arguments.output,
                       {bytes->constData(), static_cast<std::size_t>(bytes->size())}, stop);
}

} // namespace headlight::app
