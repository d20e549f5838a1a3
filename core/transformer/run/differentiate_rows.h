// Back through the steps between a score and its weight: what flows back to some rows of one head's
// matrix over keys, row by row, so that it need not be there whole.
#pragma once

#include "core/transformer/plan/plan.h"
#include "core/transformer/trace/trace.h"

#include <stop_token>

namespace headlight::core {

struct RowGradientContext {
    const Trace &trace;
    const Step &step;
    Index sequence = 0;
    Index head = 0;
    Index first = 0; ///< which row of the matrix is the first of these; columns are its first ones
    /// What numbersNeeded() says of these rows; else empty.
    MatrixView numbers{};
    const std::stop_token &stop;
};

/// Which numbers of the forward pass the way back through an operation needs.
enum class NumbersNeeded { None, Made, Read };
NumbersNeeded numbersNeeded(const Operation &operation);

/// dL/d(what the step made) becomes dL/d(what it read first), in its place. For Scale, Cap, Mask,
/// Softmax, NoSoftmax and Add; other operations are a programmer's error.
void differentiateRows(const Operation &operation, const RowGradientContext &chain,
                       MutableMatrixView gradient);

/// To what a change was done to; what it stood for gets nothing.
void differentiateRows(const Change &change, const RowGradientContext &chain,
                       MutableMatrixView gradient);

} // namespace headlight::core
