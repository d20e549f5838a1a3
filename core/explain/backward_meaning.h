// The chain rule for each operation: the gradient that a step passes back to a number that it
// reads, as an expression over the gradients of its results. Lines are written from it, and a test
// evaluates it.
#pragma once

#include "core/explain/meaning.h"

namespace headlight::core {

/// A use of a number: a matrix of a step that reads it.
struct Reader {
    StepId step = 0;
    std::size_t which = 0; ///< index of the number's matrix among the step's inputs
    Index sequence = 0;
    Index head = 0; ///< of the step
};

/// Returns the readers of the matrix of a sequence and a head, found through renames, in the plan's
/// order.
std::vector<Reader> readersOf(const Plan &plan, StepId step, Index sequence, Index head);

/// Returns the gradient that a reader passes back to a number; without a row and a column to any
/// number of the matrix. The coordinates Row and Column are those of the number. No value if the
/// reader does not use the number.
std::optional<Meaning> backwardOf(const Trace &trace, const Reader &reader, const Slice &number);

} // namespace headlight::core
