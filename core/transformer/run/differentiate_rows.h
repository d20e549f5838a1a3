// The backward pass from an attention weight to its score, row by row. It needs only some rows of
// one head's matrix over keys at a time, never the complete matrix.
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
    Index first = 0; ///< index in the matrix of the first row; columns start at 0
    /// The values of these rows, if numbersNeeded() requires them; otherwise empty.
    MatrixView numbers{};
    const std::stop_token &stop;
};

/// Returns the forward values that differentiating an operation needs.
NumbersNeeded numbersNeeded(const Operation &operation);

/// Replaces the gradient of a step's output with the gradient of its first input, in place.
/// Supports Each, Mask, Softmax and Add. Any other operation is a programming error.
void differentiateRows(const Operation &operation, const RowGradientContext &chain,
                       MutableMatrixView gradient);

/// Adds the gradient of a head's sink to `sum`, computed from some rows of weights and their
/// gradient.
void addSinkGradient(float temperature, MatrixView weights, MatrixView gradient, float &sum);
/// Adds the gradient of a sink's weights, one for each row of `scores`, to the gradients of the
/// scores and of the sink.
void addSinkWeightGradient(float temperature, float sink, MatrixView scores, MatrixView gradient,
                           MutableMatrixView ofScores, float &ofSink);

/// Differentiates a change. Values replaced by the change have no gradient.
void differentiateRows(const Change &change, const RowGradientContext &chain,
                       MutableMatrixView gradient);

} // namespace headlight::core
