// What a lesson's step says: its numbers filled in from the trace, and of its claims those that
// hold.
#pragma once

#include "core/formats/session/marked_text.h"
#include "core/formats/session/step_number.h"

namespace headlight::core {

/// A text has numbers, {weights 0 0 bank money} (step_number.h), and claims:
///
///     {if weights 0 0 bank money > weights 0 0 bank bank}*bank* listens to *money*.{else}It
///     listens to itself.{end}
///
/// A condition compares two numbers, of a stage or written out, by <, > or =; equal is what reads
/// alike. Or it names words that the sequence must have, {if words 0 money bank}: nothing can be
/// said without them. Several are joined by &: all of them must hold. What follows {else} may be
/// missing. A claim does not stand within another.
///
/// `text` as it is for the trace: of a claim what follows {if} where its condition holds, else what
/// follows {else}. A brace that belongs to no mark, and a mark that numberOf() refuses, are errors
/// whose `where` is the mark.
Result<std::string> expandNumbers(std::string_view text, const Trace &trace, Site site = {});

/// Whether everything in it can be said of the trace, also what follows {else}, and every claim
/// holds: so it must be where a lesson begins. Errors: as expandNumbers(), and the condition.
Outcome checkStepText(std::string_view text, const Trace &trace, Site site = {});

/// How a number is to be told from the words around it: what stands before and behind it.
struct NumberFrame {
    std::string_view before;
    std::string_view after;
};

/// For the window. A number that is not there (no trace yet, or another text that is too short for
/// it) is "…". A claim that does not hold is struck out, <s>, with what follows {else} behind it;
/// one of which nobody can say that, because a word or a stage is missing, is left out.
std::string stepTextToHtml(std::string_view text, const Trace *trace, Site site = {},
                           const NumberFrame &frame = {});

} // namespace headlight::core
