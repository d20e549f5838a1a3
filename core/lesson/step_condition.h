// Conditions on numbers of the trace: what claims, right answers and goals of a lesson stand on.
#pragma once

#include "core/result.h"
#include "core/transformer/trace/trace.h"

#include <string_view>

namespace headlight::core {

/// Two numbers with <, > or = between them, each as in a mark (step_number.h) or written out; equal
/// is what reads alike. Or "words 0 money bank": the sequence has these words. Or "most weights 0 0
/// it animal": the word has the largest number of its row. Several are joined by &: all of them
/// must hold. An error: nobody can say, because a word, a stage or the sense is missing.
Result<bool> conditionHolds(std::string_view conditions, const Trace &trace,
                            AttentionId attention = {});

} // namespace headlight::core
