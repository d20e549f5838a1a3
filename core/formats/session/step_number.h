// A number that a lesson's text names, such as {weights 0 0 bank money}, and what it says of it.
#pragma once

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
/// the stage, "shape weights" all of them: "(1, 2, 6, 6)", whose value is 0. A model that has no
/// such stack or attention is asked for its main one. A stage that the trace does not have, an
/// index out of range and a word that is not in the text are errors whose `where` is the mark.
Result<StepNumber> numberOf(std::string_view mark, const Trace &trace, Site site = {});

/// Which token of the sequence is meant by "bank" or "bank#2"; −1: none.
Index tokenCalled(std::string_view word, const Batch &batch, Index sequence);

/// The next word, taken off the front; empty at the end. A colon is a word of its own.
std::string_view nextMarkWord(std::string_view &mark);

} // namespace headlight::core
