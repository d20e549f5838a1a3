// Converts a capture to a trace, so that every view can show values from other programs.
#pragma once

#include "core/formats/capture/capture.h"
#include "core/transformer/trace/trace.h"

namespace headlight::core {

/// Returns a trace of the captured stages. Its model has the sizes that the shapes imply and no
/// parameters. Its input has tokens and no masks, because masks were not captured. Values that the
/// capture leaves in its file are read on demand. Errors: all tokens are padding.
Result<TracePointer> traceOf(const Capture &capture);

} // namespace headlight::core
