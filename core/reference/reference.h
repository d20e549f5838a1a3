// The forward pass of a transformer as the articles write it, in float64. A second opinion on
// core/transformer/run, with which it shares nothing but the model's data.
//
// To read a transformer, begin with transformer.cpp, then embedding.cpp, attention.cpp,
// positions.cpp, masks.cpp, norm.cpp, feed_forward.cpp and output_layer.cpp. It is as short as it
// can be, and slow: nothing is reused, and one thread does it all.
#pragma once

#include "core/result.h"
#include "core/transformer/model/model.h"
#include "core/transformer/names/stage.h"

#include <functional>
#include <stop_token>

namespace headlight::core::reference {

/// The matrix of one sequence and head of a stage; for keys and values that of a group.
struct StageMatrix {
    StageId at;
    Index sequence = 0; ///< 0 for a position bias, which all sequences share
    Index head = 0;     ///< 0 for stages without heads
    Index rows = 0;     ///< tokens; sequences for Pooled and ClassLogits, which have one matrix
    Index columns = 0;
    double *numbers = nullptr; ///< column by column; valid during the call only
    Index stride = 0;          ///< from one column to the next

    double &operator()(Index row, Index column) const { return numbers[column * stride + row]; }
};

/// Called with each matrix in computation order. It may change the numbers, and what is computed
/// from them follows. The pass ends with the returned error, if any.
using OnStage = std::function<Outcome(const StageMatrix &)>;

/// More tokens than this would take too much memory for their scores in float64.
inline constexpr Index kMaxReferenceTokens = 4096;

/// Computes all stages of the model. The model and the input must be such that core::forward()
/// accepts them. Errors: a capture, whose computation is unknown; more than kMaxReferenceTokens
/// tokens; a parameter that cannot be read; those of `onStage`; "cancelled".
Outcome forward(const Model &model, const Input &input, const OnStage &onStage,
                const std::stop_token &stop = {});

} // namespace headlight::core::reference
