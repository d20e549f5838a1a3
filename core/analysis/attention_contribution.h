// The contribution of each key to a query's context, and how attention moves each token.
#pragma once

#include "core/analysis/vector_space.h"
#include "core/result.h"

#include <vector>

namespace headlight::core {

/// A value vector scaled by its attention weight, as a step of the sum over keys.
struct ValueContribution {
    Index key = 0;
    float weight = 0;
    std::vector<double> from; ///< sum before this value, d numbers
    std::vector<double> to;   ///< sum after this value, d numbers
};

/// Splits a query's context into weighted values, to be drawn head to tail: the first starts at 0,
/// the last ends at the context. Omits keys of weight 0. Empty if an intervention replaced the
/// head's context or if the trace lacks weights or values.
std::vector<ValueContribution> valueContributionsOf(const Trace &trace, const SequenceHeadId &place,
                                                    Index query);

/// How attention moves each token's vector.
struct AttentionShift {
    /// True if each token moves to its context. The context is then a mean of embeddings, because
    /// the layer has one head, W_V is the identity, W_O is the identity or absent, and there are no
    /// norms, biases or residual. If false, each token moves to x + output, as along a residual
    /// connection.
    bool toContext = false;
    Matrix from; ///< [T, C]: input of the attention block
    Matrix to;   ///< [T, C]: the context, or x + output
};

/// Errors: the layer's input and output have different widths, so they cannot be added; a capture
/// lacks one of them.
Result<AttentionShift> attentionShiftOf(const Trace &trace, Index sequence, AttentionId attention);

} // namespace headlight::core
