// The output layer of one token alone: logits of a whole text are its length times the vocabulary,
// and who asks for the next word needs the last row.
#pragma once

#include "core/transformer/trace/trace.h"

#include <stop_token>
#include <vector>

namespace headlight::core {

struct OutputRow {
    std::vector<float> logits;        ///< [V]
    std::vector<float> probabilities; ///< [V]
    Index made = 0;                   ///< how many numbers were made for it
};

/// The last stage before the output layer: with it outputRow() makes nothing else. The plan has
/// logits.
StageId readByOutputLayer(const Plan &plan);

/// Row `token` of the logits and probabilities of a sequence, to the last bit those of the trace's
/// stages. The model has an output layer over words. Errors: as forward().
Result<OutputRow> outputRow(const Trace &trace, Index sequence, Index token,
                            std::stop_token stop = {});

} // namespace headlight::core
