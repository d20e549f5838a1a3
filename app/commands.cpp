#include "app/commands.h"

#include "app/interrupt.h"
#include "app/words.h"
#include "core/formats/files/atomic_file.h"
#include "core/formats/files/inputs.h"
#include "core/transformer/run/forward.h"
#include "ui/document/files_read.h"
#include "ui/text/file_path.h"

#include <algorithm>

namespace headlight::app {

namespace {

/// Like core::writeFile(), but can be stopped.
core::Outcome writeFile(const std::string &path,
                        const std::function<core::Outcome(const core::ByteSink &)> &write,
                        const std::stop_token &stop) {
    core::Result<core::AtomicFile> file = core::AtomicFile::open(path);
    if (!file)
        return file.error();
    const core::Outcome written =
        write([&](std::string_view bytes) -> core::Outcome { return file->write(bytes); });
    if (stop.stop_requested())
        return core::Done{};
    return written ? file->commit() : written;
}

} // namespace

int writeOutput(const QString &path, std::string_view bytes, const std::stop_token &stop) {
    constexpr std::size_t kPiece = std::size_t(1) << 20;
    return writeOutput(
        path,
        [&](const core::ByteSink &sink) -> core::Outcome {
            for (std::string_view left = bytes; !left.empty() && !stop.stop_requested();
                 left.remove_prefix(std::min(kPiece, left.size())))
                if (core::Outcome written = sink(left.substr(0, kPiece)); !written)
                    return written;
            return core::Done{};
        },
        stop);
}

int writeOutput(const QString &path,
                const std::function<core::Outcome(const core::ByteSink &)> &write,
                const std::stop_token &stop) {
    const core::Outcome written =
        path == "-" ? write(writeStandardOutput) : writeFile(ui::bytesOf(path), write, stop);
    if (stop.stop_requested())
        return kInterrupted;
    return written ? 0 : fail(written.error());
}

int writeResult(const Arguments &arguments, std::string_view bytes, const std::stop_token &stop) {
    return writeOutput(arguments.output.isEmpty() ? "-" : arguments.output, bytes, stop);
}

namespace {

core::Outcome mayWriteOver(const Arguments &arguments, const std::vector<std::string> &inputs) {
    const QStringList outputs =
        arguments.outputs.isEmpty() ? QStringList{arguments.output} : arguments.outputs;
    for (const QString &output : outputs)
        if (core::Outcome allowed = core::notAnInput(ui::bytesOf(output), inputs); !allowed)
            return allowed;
    return core::Done{};
}

} // namespace

core::Outcome mayWrite(const Arguments &arguments) {
    const TrainRequest &train = arguments.train;
    QStringList files{arguments.request.source, arguments.request.vectors.value_or(""),
                      arguments.compare.source, arguments.compare.vectors.value_or(""),
                      train.textFile,           arguments.texts};
    files << arguments.request.picture.value_or("") << arguments.request.sound.value_or("");
    if (!train.isResumed) // --resume may overwrite its own file
        files << train.resume;
    std::vector<std::string> inputs;
    for (const QString &file : files)
        if (!file.isEmpty())
            inputs.push_back(ui::bytesOf(file));
    return mayWriteOver(arguments, inputs);
}

core::Outcome mayWrite(const Arguments &arguments, const ui::OpenedSource &opened) {
    return mayWriteOver(arguments, ui::filesReadBy(opened));
}

core::Result<ui::OpenedSource> openFor(const Arguments &arguments, std::stop_token stop) {
    if (core::Outcome allowed = mayWrite(arguments); !allowed)
        return allowed.error();
    core::Result<ui::OpenedSource> opened = ui::openSource(arguments.request, std::move(stop));
    if (!opened)
        return opened;
    if (core::Outcome allowed = mayWrite(arguments, *opened); !allowed)
        return allowed.error();
    return opened;
}

core::Result<SourceAndTrace> traced(ui::OpenedSource opened, std::stop_token stop,
                                    core::WeightsObserver *observer) {
    if (const auto &capture = opened.session.capture) {
        core::TracePointer trace = capture->trace;
        return SourceAndTrace{std::move(opened), std::move(trace)};
    }
    core::Result<core::TracePointer> trace =
        core::forward(*opened.computable, nullptr, std::move(stop), {}, nullptr, observer);
    if (!trace)
        return trace.error();
    return SourceAndTrace{std::move(opened), *std::move(trace)};
}

core::Result<SourceAndTrace> openAndTrace(const Arguments &arguments, std::stop_token stop) {
    core::Result<ui::OpenedSource> opened = openFor(arguments, stop);
    if (!opened)
        return opened.error();
    return traced(*std::move(opened), std::move(stop));
}

} // namespace headlight::app
