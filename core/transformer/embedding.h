// From tokens to what enters the layers of a stack.
#pragma once

#include "core/transformer/pass.h"

namespace headlight::core {

/// The stages from `embeddings` on: looked up, scaled, with positions and types added, normed and
/// mapped to the width of the layers, as far as the model does so. Returns the last, [B, T, C].
Computed embed(const Pass &pass, Stack stack);

/// What is added to the embeddings or done to them: there is a stage `embedding_sum`.
bool hasEmbeddingSum(const Model &model, Stack stack);

/// What enters the layers of the stack: positioned, or embedding_projected.
Stage lastEmbeddingStage(const Config &config);

} // namespace headlight::core
