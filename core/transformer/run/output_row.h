// The output layer for a single token. The size of all logits is the length of the text times the
// vocabulary size, but generation needs only the last row.
#pragma once

#include "core/transformer/trace/trace.h"

#include <stop_token>
#include <vector>

namespace headlight::core {

struct OutputRow {
    std::vector<float> logits;        ///< [V]
    std::vector<float> probabilities; ///< [V]
    Index made = 0;                   ///< number of computed values
};

/// Returns the last stage before the output layer. If it is available, outputRow() computes only
/// the output layer. The plan must have logits.
StageId readByOutputLayer(const Plan &plan);

/// Computes row `token` of the logits and probabilities of a sequence, bit-identical to the stages
/// of the trace. The model must have an output layer over tokens. Errors: those of forward().
Result<OutputRow> outputRow(const Trace &trace, Index sequence, Index token,
                            std::stop_token stop = {});

/// Computes one row of all named steps over words, using `known`. The result has one matrix [1, V]
/// per step of the plan, empty for the others. Errors: those of forward().
Result<std::vector<SharedMatrix>> makeRowOfWords(const Trace &trace, std::vector<Tensor> known,
                                                 Index sequence, Index row, std::stop_token stop);

} // namespace headlight::core
