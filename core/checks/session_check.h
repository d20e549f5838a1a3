// What is wrong with a session: what its reader says, and what only computing it shows.
#pragma once

#include "core/formats/session/data/session.h"

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// What a forward pass of the session, of each of its lesson's steps and of what was left of it
/// shows: numbers that grow out of bounds, and marks in a lesson's text that no stage answers.
/// "cancelled" (core/cancelled.h) alone once `stop` is requested, which is looked at every few
/// milliseconds.
std::vector<Error> problemsOf(const Session &session, std::stop_token stop = {});

/// Everything: a document that can be read is computed too. An unknown field is a problem within
/// the model and a warning elsewhere. `check` gives the problems of that alone. None names the
/// file; that is left to those who list them.
Findings inspectSession(std::string_view json, std::stop_token stop = {});
Findings inspectSessionFile(const std::string &path, std::stop_token stop = {});
std::vector<Error> checkSession(std::string_view json, std::stop_token stop = {});
std::vector<Error> checkSessionFile(const std::string &path, std::stop_token stop = {});

} // namespace headlight::core
