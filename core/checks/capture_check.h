// Finds invalid values in a capture that can still be opened.
#pragma once

#include "core/formats/capture/capture.h"

namespace headlight::core {

/// Finds NaN and infinity, attention weights that are negative or whose rows do not sum to 1 (or 0
/// for masked rows), and inconsistent numbers of heads. Each error names the stage, the sequence if
/// there are several, the head and the row. For each kind and stage only the first problem is
/// described; the others are counted. Values in the file are read in small pieces. Returns only
/// "cancelled" after `stop` is requested.
std::vector<Error> problemsOf(const Capture &capture, std::stop_token stop = {});

} // namespace headlight::core
