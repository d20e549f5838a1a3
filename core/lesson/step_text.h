// The text of a lesson step, with values from the trace and only the claims that hold.
#pragma once

#include "core/lesson/marked_text.h"
#include "core/lesson/step_number.h"

#include <vector>

namespace headlight::core {

/// A text contains values, {weights 0 0 bank money} (step_number.h), and claims:
///
///     {if weights 0 0 bank money > weights 0 0 bank bank}*bank* listens to *money*.{else}It
///     listens to itself.{end}
///
/// step_condition.h defines the conditions. The {else} part is optional. Claims cannot be nested.
///
/// Returns `text` with the values of the trace. Each claim is replaced by the part after {if} if
/// its condition holds, otherwise by the part after {else}. Errors, with the mark in `where`:
/// unbalanced braces, and marks that numberOf() rejects.
Result<std::string> expandNumbers(std::string_view text, const Trace &trace,
                                  AttentionId attention = {});

/// Checks that all values of the text can be evaluated, including those after {else}, and that
/// every claim holds, as it must at the start of a lesson. Errors: those of expandNumbers(), and
/// claims that do not hold.
Outcome checkStepText(std::string_view text, const Trace &trace, AttentionId attention = {});

/// Returns all problems of a text in order. Stops at the first syntax error.
std::vector<Error> stepTextProblems(std::string_view text, const Trace &trace,
                                    AttentionId attention = {});

/// Markup that is put before and after a value, to distinguish it from the text.
struct NumberFrame {
    std::string_view before;
    std::string_view after;
    /// Markup around a slider's mark, which is inserted before its value, encoded by hexOf().
    /// Empty: no sliders.
    std::string_view sliderBefore{};
    std::string_view sliderAfter{};
};

/// Returns HTML for the window. A value that does not exist (no trace yet, or another text is too
/// short) is shown as "…". A claim that does not hold is struck out, <s>, and followed by its
/// {else} part. A claim that cannot be evaluated, because a word or a stage is missing, is omitted.
std::string stepTextToHtml(std::string_view text, const Trace *trace, AttentionId attention = {},
                           const NumberFrame &frame = {});

} // namespace headlight::core
