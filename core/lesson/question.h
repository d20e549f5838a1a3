// Determines the right answer to a question of a lesson from the trace.
#pragma once

#include "core/formats/session/data/lesson.h"

namespace headlight::core {

/// Returns the index of the only answer whose condition holds. Errors, with the condition in
/// `where`: a condition cannot be evaluated, or not exactly one holds.
Result<std::size_t> rightAnswer(const Question &question, const Trace &trace);

} // namespace headlight::core
