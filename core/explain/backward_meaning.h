// The chain rule for each operation: the gradient that a step passes back to one of its inputs, as
// an expression over the gradients of its results. Formulas and arithmetic are written from this
// expression, and a test evaluates it.
#pragma once

#include "core/explain/meaning.h"

namespace headlight::core {

/// A matrix that is computed from a value, and the input through which its step reads the value.
struct Reader {
    StepId step = 0;
    std::size_t which = 0; ///< index of the input among the matrices that the step reads
    Index sequence = 0;
    Index head = 0; ///< head of the step
};

/// Returns the readers of a step's matrix in one sequence and head, in plan order. Includes readers
/// of the steps that rename it.
std::vector<Reader> readersOf(const Plan &plan, StepId step, Index sequence, Index head);

/// Returns the gradient that a reader passes back to a value. `number` without a row and a column
/// means any value of the matrix. Row and Column in the expression refer to the value. No result if
/// the reader does not use the value.
std::optional<Meaning> backwardOf(const Trace &trace, const Reader &reader, const Slice &number);

} // namespace headlight::core
