// Drafts a condition about a value, for the author of a lesson.
#pragma once

#include "core/result.h"
#include "core/transformer/trace/trace.h"

#include <string>
#include <string_view>

namespace headlight::core {

/// Returns a condition that holds for the trace. For a value of 0.80: "weights 0 0 bank money >
/// 0.7", which is one tenth less. For a mark that results in a word, such as "most weights 0 0
/// bank": "most weights 0 0 bank money". Errors: those of numberOf().
Result<std::string> claimAbout(std::string_view mark, const Trace &trace);

/// Returns a condition that does not hold yet. For a value of 0.61: "weights 0 0 bank money > 0.7".
/// For a value from 0.8 to 1: "< 0.5", because a weight cannot become much larger. Errors: those of
/// numberOf(); the mark results in a word.
Result<std::string> goalAbout(std::string_view mark, const Trace &trace);

} // namespace headlight::core
