// Sessions that show a capture instead of a model.
#pragma once

#include "core/formats/capture/capture.h"
#include "core/formats/session/data/session.h"

namespace headlight::core {

/// Returns a session that shows the capture. Errors name the file: see readCapture() and traceOf().
Result<Session> sessionOfCapture(const std::string &path, std::stop_token stop = {});

/// Reads the capture that a session refers to, by a path relative to the session's file. Does
/// nothing if there is none. Warns if the file has changed since the session was saved. Errors: the
/// file is missing; see readCapture().
Outcome readCaptureOf(Session &session, const std::string &sessionPath, std::stop_token stop = {});

} // namespace headlight::core
