// Runs a command for each text of a file. The source is read only once.
#pragma once

#include "app/arguments.h"

#include <stop_token>

namespace headlight::app {

/// Reads the texts of --texts (core/formats/text_list.h) and runs `command` for each one, with its
/// own output file. The index of the text, from 0, replaces %n in the name. Nothing else in the
/// file influences the names. All outputs are checked before anything is computed. Stops at the
/// first text that fails, and reports its line. Returns the exit code.
int runForEachText(const Arguments &arguments, const std::stop_token &stop,
                   int (*command)(const Arguments &, std::stop_token));

} // namespace headlight::app
