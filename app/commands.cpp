#include "app/commands.h"

#include "app/capture_source.h"
#include "app/interrupt.h"
#include "app/words.h"
#include "core/formats/files/atomic_file.h"
#include "core/transformer/run/forward.h"
#include "ui/document/file_path.h"

#include <algorithm>

namespace headlight::app {

namespace {

/// As core::writeFile(), but stops when it is asked to.
core::Outcome writeFile(const std::string &path, std::string_view bytes,
                        const std::stop_token &stop) {
    constexpr std::size_t kPiece = std::size_t(1) << 20;
    core::Result<core::AtomicFile> file = core::AtomicFile::open(path);
    if (!file)
        return file.error();
    for (; !bytes.empty() && !stop.stop_requested();
         bytes.remove_prefix(std::min(kPiece, bytes.size())))
        if (core::Outcome written = file->write(bytes.substr(0, kPiece)); !written)
            return written;
    return stop.stop_requested() ? core::Done{} : file->commit();
}

} // namespace

int writeOutput(const QString &path, std::string_view bytes, const std::stop_token &stop) {
    const core::Outcome written =
        path == "-" ? writeStandardOutput(bytes) : writeFile(ui::bytesOf(path), bytes, stop);
    if (!written)
        return fail(written.error());
    return stop.stop_requested() ? kInterrupted : 0;
}

core::Result<ui::OpenedSource> openFor(const Arguments &arguments, std::stop_token stop) {
    return ui::openSource(arguments.request, std::move(stop));
}

core::Result<SourceAndTrace> openAndTrace(const Arguments &arguments, std::stop_token stop) {
    if (isCapture(arguments)) {
        core::Result<OpenedCapture> capture = openCapture(arguments);
        if (!capture)
            return capture.error();
        return SourceAndTrace{std::move(capture->opened), capture->trace};
    }
    core::Result<ui::OpenedSource> opened = openFor(arguments, stop);
    if (!opened)
        return opened.error();
    core::Result<core::TracePointer> trace =
        core::forward(opened->state.model, opened->state.input, nullptr, std::move(stop));
    if (!trace)
        return trace.error();
    return SourceAndTrace{*std::move(opened), *trace};
}

} // namespace headlight::app
