// Where in a text the output layer says something, and what about.
#pragma once

#include "core/selection/selection.h"
#include "core/transformer/run/output_row.h"

#include <memory>

namespace headlight::core {

struct OutputRowId {
    Index sequence = 0;
    Index row = 0; ///< of its logits: a token; of a classifier the sequence

    bool operator==(const OutputRowId &) const = default;
};

/// What the selection asks for: the selected token of the sequence that is written on or has hidden
/// words; else the first hidden one, "[MASK]" or "<mask>", or the last token. The trace has
/// logits.
OutputRowId outputPlaceOf(const Trace &trace, const Selection &selection);

/// The token that the row is about: of a language model the one behind it, which may not be there
/// yet, else the row's own (also of one that answers in place). The model has an output layer over
/// words.
Index predictedAt(const Model &model, OutputRowId place);

/// The row that is about a token, the other way round; −1: none is about a text's first token.
Index rowAbout(const Model &model, Index token);

/// There are logits and probabilities.
bool hasOutput(const Trace &trace);

using OutputRowPointer = std::shared_ptr<const OutputRow>;

/// readOutput() copies numbers that are there, and computes nothing.
bool isOutputReady(const Trace &trace, OutputRowId place);
/// The logits and probabilities there. Errors: as forward(), or of a capture that does not hold
/// them.
Result<OutputRowPointer> readOutput(const Trace &trace, OutputRowId place,
                                    std::stop_token stop = {});

} // namespace headlight::core
