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
    const core::Result<std::string> bytes = core::serializeTrace(
        *source->trace, arguments.stage.isEmpty() ? "*" : arguments.stage.toStdString());
    if (stop.stop_requested())
        return kInterrupted;
    return bytes ? writeOutput(arguments.output, *bytes, stop) : fail(bytes.error());
}

} // namespace headlight::app
