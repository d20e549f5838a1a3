// Values that marks compute from whole rows of the trace.
#pragma once

#include "core/lesson/step_number.h"

namespace headlight::core {

/// True if the word is the name of a row function: sum, length, entropy, most, probability, cosine
/// or distance.
bool isRowNumber(std::string_view word);

/// Computes the function `word` of the rows that follow it, and removes these rows from the front
/// of `mark`. For `most`, the text is the name of the column and the value is its index; otherwise
/// the text is empty. Sums are computed in double. Errors: those of takeRow() (cell_reference.h),
/// rows of different lengths, an entropy of values outside 0 … 1.
Result<StepNumber> takeRowNumber(std::string_view word, std::string_view &mark, const Trace &trace,
                                 AttentionId attention);

} // namespace headlight::core
