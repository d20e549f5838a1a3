// A value in a lesson's text, such as {weights 0 0 bank money}.
#pragma once

#include "core/lesson/mark_words.h"
#include "core/result.h"
#include "core/transformer/trace/trace.h"

namespace headlight::core {

struct StepNumber {
    float value = 0;
    std::string text;    ///< formatted by shown(), or a word
    bool isWord = false; ///< true if the text names a token, a word, or an index
};

/// Evaluates a mark. "weights 0 0 1 0" is the trace's value at these indices, with two decimals or
/// with the number after a colon: "weights 0 0 1 0 : 4".
///
/// A stage is a full name or, at `attention`, its short name ("feed_forward.hidden"). It takes one
/// index per axis ("embeddings 0 1 0"). A word can replace the index of a token: "weights 0 0 bank
/// money" uses the first occurrence of each, "bank#2" the second, "@last" the last token. "@most"
/// as the last index is the index of the row's largest value. "size weights 2" is the size of an
/// axis, "shape weights" all sizes: "(1, 2, 6, 6)", with value 0. row_number.h lists the functions
/// of rows. "ratio A to B" and "difference A to B" combine two such values. "parameter
/// layers.0.self_attention.query 0 1" is a value of a parameter.
///
/// "slider temperature 0.25 to 4" is a value that the reader can change (slider_mark.h).
///
/// If the model does not have the stack or attention module, its main stack or other module is
/// used. Errors, with the mark in `where`: a missing stage, an index out of range, a word that is
/// not in the text.
Result<StepNumber> numberOf(std::string_view mark, const Trace &trace, AttentionId attention = {});

} // namespace headlight::core
