// Identifies a row of the output layer and the token that it predicts.
#pragma once

#include "core/selection/selection.h"
#include "core/transformer/run/output_row.h"

#include <memory>

namespace headlight::core {

struct OutputRowId {
    Index sequence = 0;
    Index row = 0; ///< row of the logits: the token's index, or the sequence's for a classifier

    bool operator==(const OutputRowId &) const = default;
};

/// Returns the row of the selected token, if it is in the stack that the output layer reads.
/// Otherwise the row of the first masked token ("[MASK]" or "<mask>"), or of the last token. The
/// trace must have logits.
OutputRowId outputPlaceOf(const Trace &trace, const Selection &selection);

/// Returns the position of the token that the row predicts: the row's own position or, for a
/// next-token model, the next one, which may not exist yet. The model must have an output layer
/// over tokens.
Index predictedAt(const Model &model, OutputRowId place);

/// Returns the row that predicts a token. −1 for a text's first token if no row predicts it.
Index rowAbout(const Model &model, Index token);

/// True if the trace has logits and probabilities, or class logits.
bool hasOutput(const Trace &trace);

using OutputRowPointer = std::shared_ptr<const OutputRow>;

/// True if readOutput() only copies and does not need to compute.
bool isOutputReady(const Trace &trace, OutputRowId place);
/// Returns the logits and probabilities of a row. Errors: those of forward(), or a capture does not
/// contain them.
Result<OutputRowPointer> readOutput(const Trace &trace, OutputRowId place,
                                    std::stop_token stop = {});

} // namespace headlight::core
