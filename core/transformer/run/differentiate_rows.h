// Row-wise backward pass of the steps between a score and its attention weight. Works on some rows
// of one head's matrix over keys, so the whole matrix is never needed.
#pragma once

#include "core/transformer/plan/plan.h"
#include "core/transformer/run/each.h"
#include "core/transformer/trace/trace.h"

#include <stop_token>

namespace headlight::core {

struct RowGradientContext {
    const Trace &trace;
    const Step &step;
    Index sequence = 0;
    Index head = 0;
    Index first = 0; ///< index in the matrix of the first of these rows; columns start at 0
    /// The values of these rows that numbersNeeded() requires; else empty.
    MatrixView numbers{};
    const std::stop_token &stop;
};

/// Returns the forward values that differentiating an operation needs.
NumbersNeeded numbersNeeded(const Operation &operation);

/// Replaces the gradient of the step's output by that of its first input, in place. Supports Each,
/// Mask, Softmax and Add; other operations are a programming error.
void differentiateRows(const Operation &operation, const RowGradientContext &chain,
                       MutableMatrixView gradient);

/// Adds the gradient of a head's sink to `sum`, from some rows of weights and their gradient.
void addSinkGradient(const op::Softmax &of, MatrixView weights, MatrixView gradient, float &sum);

/// Differentiates a change. Values that the change replaced get no gradient.
void differentiateRows(const Change &change, const RowGradientContext &chain,
                       MutableMatrixView gradient);

} // namespace headlight::core
