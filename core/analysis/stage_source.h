// What each stage of a trace is made from: the way back through the computation, past the parts
// that a model does not have.
#pragma once

#include "core/transformer/trace.h"

#include <optional>

namespace headlight::core {

/// The stage whose rows are read to make this one; of those that read several (a sum, a pair's
/// score, gated units) the first: what goes by, the query's side, the gate. None: nothing comes
/// before it, or what does is not in the trace (a capture).
std::optional<StageAt> sourceOf(const Trace &trace, Stage stage, Site site);

/// What the keys and values of cross-attention are made from: the encoder's output, or the second
/// sequence's embeddings.
std::optional<StageAt> memoryOf(const Trace &trace);

/// What a layer's block reads before its norm, which a residual connection carries past it. `part`:
/// Attention (of the site) or FeedForward.
std::optional<StageAt> inputOf(const Trace &trace, Part part, Site site);

/// The matrix of a sequence at the stage; of stages with heads the query head's. Pooled and class
/// logits, one row a sequence, are whole. Empty where the trace does not have it.
SharedMatrix matrixAt(const Trace &trace, StageAt place, Index sequence, Index head);

} // namespace headlight::core
