// Sessions that show a capture instead of a model.
#pragma once

#include "core/formats/capture/capture.h"
#include "core/formats/session/data/session.h"

namespace headlight::core {

/// A new session that shows the capture. Errors: those of readCapture() and traceOf(), with the
/// file.
Result<Session> sessionOfCapture(const std::string &path, std::stop_token stop = {});

/// Reads the capture that a session names, from where it lies beside the session's file; nothing
/// where it names none. A file that is not as it was when the session was saved is a warning.
/// Errors: it is not there; those of readCapture().
Outcome readCaptureOf(Session &session, const std::string &sessionPath, std::stop_token stop = {});

} // namespace headlight::core
