#include "app/commands.h"

#include "app/interrupt.h"
#include "core/formats/trace_file.h"

namespace headlight::app {

int runTrace(const Arguments &arguments, std::stop_token stop) {
    const core::Result<ui::OpenedSource> opened = openFor(arguments);
    if (!opened)
        return fail(opened.error());
    const core::Result<core::TracePointer> trace = traceOf(*opened, stop);
    if (stop.stop_requested())
        return kInterrupted;
    if (!trace)
        return fail(trace.error());
    const core::Result<std::string> bytes = core::serializeTrace(
        **trace, arguments.stage.isEmpty() ? "*" : arguments.stage.toStdString());
    if (stop.stop_requested())
        return kInterrupted;
    return bytes ? writeOutput(arguments.output, *bytes, stop) : fail(bytes.error());
}

} // namespace headlight::app
