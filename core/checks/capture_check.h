// What is wrong with the numbers of a capture, though they can be read and most of them shown.
#pragma once

#include "core/formats/capture/capture.h"

namespace headlight::core {

/// Numbers that are none, attention weights that are negative or whose rows do not sum to 1 (of
/// masked rows, to 0), numbers of heads that do not go together. Each error names the stage, the
/// sequence where there are several, the head and the row; of one kind and stage only the first is
/// named and the others are counted. What lies in the file is read, a little at a time.
/// "cancelled" alone once `stop` is requested.
std::vector<Error> problemsOf(const Capture &capture, std::stop_token stop = {});

} // namespace headlight::core
