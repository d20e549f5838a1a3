// A condition about a number, as a first draft for the author of a lesson.
#pragma once

#include "core/result.h"
#include "core/transformer/trace/trace.h"

#include <string>
#include <string_view>

namespace headlight::core {

/// Returns a condition that holds for the trace: "weights 0 0 bank money > 0.7" for a number of
/// 0.80, one decimal below it, and "most weights 0 0 bank money" for the mark of a word, "most
/// weights 0 0 bank". Errors: as numberOf().
Result<std::string> claimAbout(std::string_view mark, const Trace &trace);

/// Returns a condition that does not hold yet: "weights 0 0 bank money > 0.7" for a number of 0.61,
/// and "< 0.5" for one from 0.8 to 1, because a weight cannot become much larger. Errors: as
/// numberOf(); a word has no such condition.
Result<std::string> goalAbout(std::string_view mark, const Trace &trace);

} // namespace headlight::core
