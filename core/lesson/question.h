// Which answer of a lesson's question is right, by the trace.
#pragma once

#include "core/formats/session/data/lesson.h"

namespace headlight::core {

/// The place of the one answer whose condition holds. Errors, whose `where` is the condition: one
/// that nobody can say; none that holds, or two of them.
Result<std::size_t> rightAnswer(const Question &question, const Trace &trace);

} // namespace headlight::core
