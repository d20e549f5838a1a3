// What a lesson's step says: its numbers filled in from the trace, and of its claims those that
// hold.
#pragma once

#include "core/lesson/marked_text.h"
#include "core/lesson/step_number.h"

#include <vector>

namespace headlight::core {

/// A text has numbers, {weights 0 0 bank money} (step_number.h), and claims:
///
///     {if weights 0 0 bank money > weights 0 0 bank bank}*bank* listens to *money*.{else}It
///     listens to itself.{end}
///
/// What a condition can be is in step_condition.h. What follows {else} may be missing. A claim does
/// not stand within another.
///
/// `text` as it is for the trace: of a claim what follows {if} where its condition holds, else what
/// follows {else}. A brace that belongs to no mark, and a mark that numberOf() refuses, are errors
/// whose `where` is the mark.
Result<std::string> expandNumbers(std::string_view text, const Trace &trace,
                                  AttentionId attention = {});

/// Whether everything in it can be said of the trace, also what follows {else}, and every claim
/// holds: so it must be where a lesson begins. Errors: as expandNumbers(), and the condition.
Outcome checkStepText(std::string_view text, const Trace &trace, AttentionId attention = {});

/// All that is wrong in it, in its order: what stands behind a brace without its partner is not
/// looked at.
std::vector<Error> stepTextProblems(std::string_view text, const Trace &trace,
                                    AttentionId attention = {});

/// How a number is to be told from the words around it: what stands before and behind it.
struct NumberFrame {
    std::string_view before;
    std::string_view after;
};

/// For the window. A number that is not there (no trace yet, or another text that is too short for
/// it) is "…". A claim that does not hold is struck out, <s>, with what follows {else} behind it;
/// one of which nobody can say that, because a word or a stage is missing, is left out.
std::string stepTextToHtml(std::string_view text, const Trace *trace, AttentionId attention = {},
                           const NumberFrame &frame = {});

} // namespace headlight::core
