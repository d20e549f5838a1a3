// Numbers that a lesson's text works out of whole rows of the trace.
#pragma once

#include "core/lesson/step_number.h"

namespace headlight::core {

/// Whether the word begins such a number: sum, length, entropy, most, probability, cosine,
/// distance.
bool isRowNumber(std::string_view word);

/// What `word` works out of the rows that follow it, which are taken off the front of `mark`. Of
/// `most` the text is the name of the column and the value its index; of all others the text is
/// empty. Sums are in double. Errors: as takeRow() (marked_place.h), rows of two lengths, an
/// entropy of what is no share.
Result<StepNumber> takeRowNumber(std::string_view word, std::string_view &mark, const Trace &trace,
                                 AttentionId attention);

} // namespace headlight::core
