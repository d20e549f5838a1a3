// Finds problems of a session, both while reading it and while computing it.
#pragma once

#include "core/formats/session/data/session.h"

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// Returns the problems found by a forward pass of the session, of each lesson step and of its
/// saved state. Examples are values that overflow, and marks in a lesson's text that refer to no
/// stage. Returns only "cancelled" (core/cancelled.h) after `stop` is requested, which is checked
/// every few milliseconds.
std::vector<Error> problemsOf(const Session &session, std::stop_token stop = {});

/// Reads and computes a session. Unknown fields are problems in the model and warnings elsewhere.
/// checkSession() and checkSessionFile() return only the problems, not the warnings. Messages do
/// not contain the file name; callers add it.
Findings inspectSession(std::string_view json, std::stop_token stop = {});
Findings inspectSessionFile(const std::string &path, std::stop_token stop = {});
std::vector<Error> checkSession(std::string_view json, std::stop_token stop = {});
std::vector<Error> checkSessionFile(const std::string &path, std::stop_token stop = {});

} // namespace headlight::core
