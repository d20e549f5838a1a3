// A capture as a trace, so that everything that shows a trace can show what another program
// computed.
#pragma once

#include "core/formats/capture/capture.h"
#include "core/transformer/trace/trace.h"

namespace headlight::core {

/// The stages of the capture as they were read, in a trace whose model has the sizes that can be
/// seen in them and no parameters, and whose input has tokens and no masks: they were not captured.
/// What the capture leaves in its file the trace reads when it is asked for. Errors: tokens that
/// are padding alone.
Result<TracePointer> traceOf(const Capture &capture);

} // namespace headlight::core
