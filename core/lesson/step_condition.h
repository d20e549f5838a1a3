// Conditions on values of the trace, used by claims, answers and goals of a lesson.
#pragma once

#include "core/result.h"
#include "core/transformer/trace/trace.h"

#include <optional>
#include <string_view>

namespace headlight::core {

/// Evaluates a condition: two values with <, > or = between them, each a mark (step_number.h) or a
/// number. Values that are displayed as the same text count as equal. "words 0 money bank" requires
/// that the sequence contains these words. "most weights 0 0 it animal" requires that the word has
/// the largest value of its row. "not" before one of these requires that it does not hold; "not
/// words 0 money bank" that at least one of the words is missing. Conditions joined by & must all
/// hold. Returns an error if a condition cannot be evaluated, because a word or a stage is missing
/// or the syntax is wrong.
Result<bool> conditionHolds(std::string_view conditions, const Trace &trace,
                            AttentionId attention = {});

/// Conditions for the right and the wrong answers to a conceptual question, which does not depend
/// on values.
inline constexpr std::string_view kAlwaysHolds = "1 > 0", kNeverHolds = "0 > 1";
/// Returns whether a comparison of two numbers holds; no value for any other condition.
std::optional<bool> constantCondition(std::string_view condition);

} // namespace headlight::core
