// The forward pass of a transformer as in the papers, in float64. It verifies core/transformer/run,
// with which it shares only the model's data.
//
// To read it, start with transformer.cpp, then embedding.cpp, attention.cpp, positions.cpp,
// masks.cpp, norm.cpp, feed_forward.cpp and output_layer.cpp. It is as short as possible, and slow:
// it reuses nothing and runs on one thread.
#pragma once

#include "core/result.h"
#include "core/transformer/model/model.h"
#include "core/transformer/names/stage.h"

#include <functional>
#include <stop_token>

namespace headlight::core::reference {

/// A stage's matrix of one sequence and head; for keys and values, of one group.
struct StageMatrix {
    StageId at;
    Index sequence = 0; ///< 0 for a position bias, which all sequences share
    Index head = 0;     ///< 0 for stages without heads
    Index rows = 0;     ///< tokens; sequences for Pooled and ClassLogits, which are one matrix
    Index columns = 0;
    double *numbers = nullptr; ///< column by column; only valid during the call
    Index stride = 0;          ///< distance between columns

    double &operator()(Index row, Index column) const { return numbers[column * stride + row]; }
};

/// Called with each matrix in computation order. It may change the values, which changes everything
/// computed from them. The pass ends if an error is returned.
using OnStage = std::function<Outcome(const StageMatrix &)>;

/// Maximum number of tokens, because the scores in float64 take much memory.
inline constexpr Index kMaxReferenceTokens = 4096;

/// Computes all stages of the model. core::forward() must accept the model and the input. Errors: a
/// capture, whose computation is unknown; more than kMaxReferenceTokens tokens; a parameter that
/// cannot be read; those of `onStage`; "cancelled".
Outcome forward(const Model &model, const Input &input, const OnStage &onStage,
                const std::stop_token &stop = {});

} // namespace headlight::core::reference
