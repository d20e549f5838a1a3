// The program with its window.
#pragma once

#include "app/arguments.h"

namespace headlight::app {

/// Returns the exit code: 0 when the window was closed, 1 where the source cannot be opened or
/// there is no display.
int runWindow(const Arguments &arguments, int argc, char **argv);

} // namespace headlight::app
