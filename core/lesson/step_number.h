// A number that a lesson's text names, such as {weights 0 0 bank money}, and what it says of it.
#pragma once

#include "core/lesson/mark_words.h"
#include "core/result.h"
#include "core/transformer/trace/trace.h"

namespace headlight::core {

struct StepNumber {
    float value = 0;
    std::string text; ///< as by shown()
};

/// "weights 0 0 1 0": the trace's value at these indices, with two decimals, or as many as said
/// after a colon: "weights 0 0 1 0 : 4". The stage is a full name or, at `site`, its short one
/// ("feed_forward.hidden"); it takes as many indices as the stage has axes ("embeddings 0 1 0").
/// For a token its word may stand: "weights 0 0 bank money" is about the first of each that the
/// sequence has, "bank#2" about the second. "size weights 2" is how many there are along an axis of
/// the stage, "shape weights" all of them: "(1, 2, 6, 6)", whose value is 0. What is worked out of
/// rows is in row_number.h; "ratio A to B" and "difference A to B" are of two such numbers, and
/// "parameter layers.0.self_attention.query 0 1" is one of the model's own. A model that has no
/// such stack or attention is asked for its main one. A stage that the trace does not have, an
/// index out of range and a word that is not in the text are errors whose `where` is the mark.
Result<StepNumber> numberOf(std::string_view mark, const Trace &trace, AttentionId attention = {});

} // namespace headlight::core
