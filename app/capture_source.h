// A capture as the source of a command: nothing is computed, what it holds is shown.
#pragma once

#include "app/arguments.h"
#include "core/formats/capture/capture.h"

namespace headlight::app {

struct OpenedCapture {
    core::Capture capture;
    core::TracePointer trace;
    ui::OpenedSource opened; ///< the session is empty but for its title
};

bool isCapture(const Arguments &arguments);

/// Errors: those of readCapture() and traceOf(), options that would need a computation, and indices
/// that do not exist.
core::Result<OpenedCapture> openCapture(const Arguments &arguments);

} // namespace headlight::app
