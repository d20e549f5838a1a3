#include "app/commands.h"

#include "core/formats/atomic_file.h"
#include "core/transformer/forward.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace headlight::app {

int fail(const core::Error &error) {
    std::string line = error.text();
    std::replace(line.begin(), line.end(), '\n',
                 ' '); // a name may hold anything; the message stays one line
    std::fprintf(stderr, "headlight: %s\n", line.c_str());
    return 1;
}

int writeOutput(const QString &path, std::string_view bytes) {
    if (path == "-") {
        const bool written = std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() &&
                             std::fflush(stdout) == 0;
        return written ? 0 : fail({std::strerror(errno), "standard output", ""});
    }
    const core::Outcome written = core::writeFile(path.toStdString(), bytes);
    return written ? 0 : fail(written.error());
}

core::Result<ui::OpenedSource> openFor(const Arguments &arguments) {
    if (arguments.secondSequence)
        return core::Error{
            "this source reads one sequence and has no second one that attends to it",
            "--target-text", "leave it out"};
    if (arguments.tokenIds)
        return core::Error{"this source splits text into words and has no numbered vocabulary",
                           "--token-ids", "give --text"};
    if (arguments.crossAttention)
        return core::Error{"this source has no cross-attention", "--block cross",
                           "leave it out, or give --block self"};
    return ui::openSource(arguments.request);
}

core::Result<core::TracePointer> traceOf(const ui::OpenedSource &opened, std::stop_token stop) {
    return core::forward(opened.state.model, opened.state.input, nullptr, std::move(stop));
}

} // namespace headlight::app
