// Runs a command for each text of a file, after one reading of the source.
#pragma once

#include "app/arguments.h"

#include <stop_token>

namespace headlight::app {

/// Reads the texts of --texts (core/formats/text_list.h) and runs `command` for each with its text
/// and its own output: %n in the name is replaced by the number of the text, from 0. Nothing in the
/// file influences the names. All outputs are checked before anything is computed. Stops at the
/// first text that fails, whose line is named. Returns the exit code.
int runForEachText(const Arguments &arguments, const std::stop_token &stop,
                   int (*command)(const Arguments &, std::stop_token));

} // namespace headlight::app
