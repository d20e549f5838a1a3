// Attention as a pull: what each key adds to a query's context, and where a token goes.
#pragma once

#include "core/analysis/vector_space.h"
#include "core/result.h"

#include <vector>

namespace headlight::core {

/// One value, scaled by its weight, added to those before it.
struct ValueContribution {
    Index key = 0;
    float weight = 0;
    std::vector<double> from; ///< the sum before, d numbers
    std::vector<double> to;   ///< and after
};

/// The context of a query head to tail: the first begins at 0, the last ends at the context. Keys
/// of weight 0 are left out. Empty where the head's context was replaced (Interventions), and where
/// the trace lacks weights or values.
std::vector<ValueContribution> pullsOf(const Trace &trace, const HeadId &place, Index query);

/// Where attention takes the tokens of a sequence.
struct AttentionShift {
    /// The layer has one head, W_V is the identity and so is W_O, or there is none, no biases: a
    /// token goes to its context, a mean of the embeddings. Else to x + output, as along a residual
    /// connection.
    bool toContext = false;
    Matrix from; ///< [T, C]: what the attention's block reads
    Matrix to;   ///< [T, C]
};

/// Errors: the layer's output has another width than its input, so that the two cannot be added; a
/// capture without them.
Result<AttentionShift> gravityOf(const Trace &trace, Index sequence, AttentionId attention);

} // namespace headlight::core
