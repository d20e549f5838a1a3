// What a lesson's step says: its numbers filled in from the trace, its marks turned into HTML.
#pragma once

#include "core/transformer/trace/trace.h"

namespace headlight::core {

/// `text` with every {weights 0 0 1 0} replaced by the trace's value at these indices, with two
/// decimals, or as many as said after a colon: {weights 0 0 1 0 : 4}. The stage is a full name or,
/// at `site`, its short one ("feed_forward.hidden"); it takes as many indices as the stage has axes
/// ({embeddings 0 1 0}). A model that has no such stack or attention is asked for its main one.
/// Written as by shown(). A brace that belongs to no mark, a stage that the
/// trace does not have and an index out of range are errors whose `where` is the mark.
Result<std::string> expandNumbers(std::string_view text, const Trace &trace, Site site = {});

/// *emphasis* and **strong** as <em> and <strong>, everything else escaped. A star with white space
/// inside it, or without a partner, is a star.
std::string markedToHtml(std::string_view text);

/// Both, for the window: a number that is not there (no trace yet, or another text that is too
/// short for it) is "…".
std::string stepTextToHtml(std::string_view text, const Trace *trace, Site site = {});

} // namespace headlight::core
