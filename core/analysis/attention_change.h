// Measures how attention changes the similarity of a token to the other tokens, as cosines before
// and after attention.
#pragma once

#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"

#include <optional>
#include <vector>

namespace headlight::core {

/// True for the first self-attention. It is compared with the embeddings, which are the same for
/// every occurrence of a word.
bool readsEmbeddings(AttentionId attention);

/// Returns the stage before attention: the embeddings for the first self-attention, otherwise the
/// input of the attention module before its norm.
StageId beforeAttention(const Trace &trace, AttentionId attention);

/// Returns `wanted`, or the concatenated heads if the model lacks that stage.
Stage afterAttention(const Trace &trace, AttentionId attention, Stage wanted);

/// The cosines of one token's vector with another token's, before and after attention. Unset if
/// either vector has no direction.
struct AttentionChange {
    Index token = 0;
    std::optional<double> before, after;

    /// After − before; 0 if one of them is unset.
    double change() const { return before && after ? *after - *before : 0; }
};

/// Returns the changes of `token` relative to all other tokens of the selected sequence except
/// padding, the largest increase first. Compares beforeAttention() with `after`, at the selection's
/// attention module and head. Empty if the trace does not have both stages or would have to compute
/// them.
std::vector<AttentionChange> attentionChanges(const Trace &trace, const Selection &selection,
                                              Stage after, Index token);

} // namespace headlight::core
