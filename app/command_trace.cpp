#include "app/commands.h"

#include "app/interrupt.h"
#include "core/formats/capture/trace_file.h"

namespace headlight::app {

int runTrace(const Arguments &arguments, std::stop_token stop) {
    const core::Result<SourceAndTrace> source = openAndTrace(arguments, stop);
    if (stop.stop_requested())
        return kInterrupted;
    if (!source)
        return fail(source.error());
    const std::string stages = arguments.stage.isEmpty() ? "*" : arguments.stage.toStdString();
    return writeOutput(
        arguments.output,
        [&](const core::ByteSink &sink) {
            return core::writeTrace(*source->trace, stages, sink, stop);
        },
        stop);
}

} // namespace headlight::app
