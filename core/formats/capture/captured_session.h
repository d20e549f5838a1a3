// Sessions that show a capture instead of a model.
#pragma once

#include "core/formats/capture/capture.h"
#include "core/formats/session/data/session.h"
#include "core/result.h"

#include <stop_token>
#include <string>

namespace headlight::core {

/// Returns a session that shows the capture. Errors name the file: see readCapture() and traceOf().
Result<Session> sessionOfCapture(const std::string &path, std::stop_token stop = {});

/// Reads the capture that a session refers to, by a path relative to the session's file. Does
/// nothing if the session has no capture. Warns if the file has changed since the session was
/// saved. Errors: the file is missing; see readCapture().
Outcome readCaptureOf(Session &session, const std::string &sessionPath, std::stop_token stop = {});

/// Identifies a large file without reading it completely. Returns the size and CRC-32:
/// "1048576-1c291ca3". Above 16 MB, only 256 evenly spaced pieces of 64 KB are read, including the
/// first and the last, so changes between them are not detected. Errors: see openRegularFile();
/// "cancelled".
Result<std::string> fingerprintOf(const std::string &path, const std::stop_token &stop = {});

} // namespace headlight::core
