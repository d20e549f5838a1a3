#include "app/commands.h"

#include "app/compared_source.h"

#include "app/figure_files.h"
#include "app/figure_request.h"
#include "app/interrupt.h"
#include "app/offscreen.h"
#include "app/words.h"
#include "core/cancelled.h"
#include "core/formats/figure/figure_session.h"
#include "ui/figures/files/export.h"
#include "ui/text/core_message.h"
#include "ui/text/file_path.h"
#include "ui/text/one_line.h"

#include <algorithm>
#include <cmath>

namespace headlight::app {

namespace {

qint64 pixels(double length) {
    return static_cast<qint64>(std::min(std::ceil(length), 1e15));
}

/// Limits the size of a received figure, so that it cannot keep the program busy for a minute. The
/// user can override the limit.
core::Outcome isModest(const Arguments &arguments, const ui::Figure &figure) {
    const QSizeF size = ui::sizeOf(figure, arguments.size);
    const double scale = arguments.format == "png" ? arguments.scale : 1;
    if (!(size.width() * size.height() * scale * scale > arguments.maximumPixels))
        return core::Done{};
    return core::Error{
        ui::messageOf(Words::tr("%1 × %2 pixels are more than a stored command may request")
                          .arg(pixels(size.width() * scale))
                          .arg(pixels(size.height() * scale))),
        ui::bytesOf(arguments.request.source),
        ui::messageOf(Words::tr("set the size with --size or --scale"))};
}

/// Data that all figures of one call share.
struct Computed {
    const Arguments &arguments;
    SourceAndTrace source;
    ui::Compared compared;
    std::stop_token stop;
    ComputedOnce once{};

    /// Selects the layer and the head of the page.
    void select(const FigurePage &page) { source.opened.selection = page.selection; }
};

core::Result<FigurePointer> pageFigure(Computed &computed, const FigurePage &page) {
    if (computed.stop.stop_requested())
        return core::cancelled();
    computed.select(page);
    const Arguments arguments = argumentsOfPage(computed.arguments, page);
    core::Result<FigurePointer> figure =
        figureOf(arguments, computed.source.opened, computed.source.trace, computed.compared,
                 computed.once, computed.stop);
    if (figure)
        if (core::Outcome modest = isModest(arguments, **figure); !modest)
            return modest.error();
    return figure;
}

core::Result<QByteArray> picture(Computed &computed, const FigureFile &file) {
    const Arguments arguments = storedArguments(computed.arguments, file);
    const ui::OpenedSource &opened = computed.source.opened;
    computed.select(file.pages.front());
    ui::ExportOptions options;
    options.size = arguments.size;
    options.scale = arguments.scale;
    options.title = arguments.title.isEmpty() ? ui::oneLine(opened.session.title) : arguments.title;
    options.description = arguments.recipe;
    options.session = carriedBy(arguments, opened, computed.source.trace);
    options.isTransparent = arguments.transparent;
    options.textAsPaths = arguments.textAsPaths;
    options.namesFallbacks = arguments.paper;
    if (file.pages.size() > 1)
        return ui::renderPages(
            file.pages.size(),
            [&](std::size_t i) -> core::Result<std::unique_ptr<const ui::Figure>> {
                core::Result<FigurePointer> figure = pageFigure(computed, file.pages[i]);
                if (!figure)
                    return figure.error();
                return std::unique_ptr<const ui::Figure>(*std::move(figure));
            },
            options);
    const core::Result<FigurePointer> figure = pageFigure(computed, file.pages.front());
    if (!figure)
        return figure.error();
    return ui::render(**figure, *ui::formatOf("." + arguments.format), options);
}

/// Lists the first words, followed by the count of the remaining ones.
QString listed(const QStringList &words) {
    constexpr qsizetype kShown = 8;
    const QString first = words.mid(0, kShown).join(", ");
    return words.size() > kShown ? Words::tr("%1 and %2 more").arg(first).arg(words.size() - kShown)
                                 : first;
}

/// Adds the options that a received figure contains. Typed options override them.
core::Result<Arguments> withCarried(const Arguments &arguments) {
    if (ui::kindOfSource(arguments.request.source) != ui::SourceKind::Figure)
        return arguments;
    const core::Result<core::FigureSession> figure =
        core::readFigureFile(ui::bytesOf(arguments.request.source));
    if (!figure)
        return figure.error();
    QStringList words;
    for (const std::string &word : figure->arguments)
        words << QString::fromStdString(word);
    ParsedArguments parsed = paintedAgain(arguments, words);
    if (auto *again = std::get_if<Arguments>(&parsed)) {
        if (!again->leftOut.isEmpty())
            say(Words::tr("%1: ignored options that a stored figure command may not set: %2")
                    .arg(arguments.request.source, listed(again->leftOut))
                    .toStdString());
        return std::move(*again);
    }
    const auto *problem = std::get_if<UsageError>(&parsed);
    return core::Error{
        problem ? ui::messageOf(problem->text) : core::Message("its command is --help"),
        ui::bytesOf(arguments.request.source), ui::messageOf(Words::tr("open it in the window"))};
}

} // namespace

int runFigure(const Arguments &typed, std::stop_token stop) {
    const core::Result<Arguments> carried = withCarried(typed);
    if (!carried)
        return fail(carried.error());
    Arguments arguments = *carried;
    core::Result<ui::OpenedSource> opened = openFor(arguments, stop);
    if (stop.stop_requested())
        return kInterrupted;
    if (!opened)
        return fail(opened.error());
    // Check all names before computing anything.
    const core::Result<std::vector<FigureFile>> files = figureFilesOf(arguments, *opened);
    if (!files)
        return fail(files.error());
    std::size_t figures = 0;
    for (const FigureFile &file : *files) {
        arguments.outputs << file.name;
        figures += file.pages.size();
    }
    // The size limit of a received figure applies to all pages together.
    arguments.maximumPixels /= static_cast<double>(figures);
    if (core::Outcome allowed = mayWrite(arguments); !allowed)
        return fail(allowed.error());
    if (core::Outcome allowed = mayWrite(arguments, *opened); !allowed)
        return fail(allowed.error());
    // The Model view needs an overview of each layer, which the displayed side's pass records.
    std::shared_ptr<core::PassGlances> pass;
    const auto observe = [&pass](core::Index sequence) {
        pass = std::make_shared<core::PassGlances>(sequence);
        return pass.get();
    };
    const bool showsModel = mayShowModel(arguments, *opened);
    const bool showsA = arguments.shown == ui::ComparisonSide::A;
    core::WeightsObserver *observer = nullptr;
    if (showsModel && !showsA)
        observer = observe(opened->selection.sequence);
    else if (showsModel && isOfSameTrace(arguments))
        observer = observe(*arguments.compare.sequence);
    core::Result<SourceAndTrace> source = traced(*std::move(opened), stop, observer);
    if (stop.stop_requested())
        return kInterrupted;
    if (!source)
        return fail(source.error());
    core::Result<ui::Compared> compared = comparedWith(
        arguments, *source,
        [&](const ui::OpenedSource &a) {
            return showsModel && showsA ? observe(a.selection.sequence) : nullptr;
        },
        stop);
    if (stop.stop_requested())
        return kInterrupted;
    if (!compared)
        return fail(compared.error());
    Computed computed{arguments,
                      *std::move(source),
                      *std::move(compared),
                      stop,
                      {.heads = core::ComputedHeads(pass)}};
    for (const FigureFile &file : *files) {
        const core::Result<QByteArray> bytes =
            paintOffscreen([&] { return picture(computed, file); });
        if (stop.stop_requested())
            return kInterrupted;
        if (!bytes)
            return fail(bytes.error());
        const int code = writeOutput(
            file.name, {bytes->constData(), static_cast<std::size_t>(bytes->size())}, stop);
        if (code != 0)
            return code;
    }
    return 0;
}

} // namespace headlight::app
