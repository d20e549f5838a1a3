// The program with its window.
#pragma once

#include "app/arguments.h"

namespace headlight::app {

/// Returns the exit code: 0 when the window is closed, 1 if the source cannot be opened or there is
/// no display.
int runWindow(const Arguments &arguments, int argc, char **argv);

} // namespace headlight::app
