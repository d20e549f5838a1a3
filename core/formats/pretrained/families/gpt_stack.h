// The stack shared by decoders with layer norms: GPT-NeoX, GPT-J, Phi, OPT, BLOOM and Falcon.
#pragma once

#include "core/formats/pretrained/family/family.h"

namespace headlight::core {

/// Names of the fields that contain the sizes.
struct GptFields {
    const char *width = "hidden_size";
    const char *heads = "num_attention_heads";
    const char *layers = "num_hidden_layers";
};

/// Reads the sizes. The result has residual connections, a causal mask, logits, and layers without
/// parameters.
FamilyModel gptStack(const FamilyFields &fields, const GptFields &names = {});

/// Reads the embeddings and, if they are not tied, the output matrix. Returns true if they are
/// tied. `isTied` is the default of tie_word_embeddings.
bool readGptWords(const FamilyFields &fields, FamilyTensors &tensors, FamilyModel &model,
                  const FamilyTensors::TiedNames &names, bool isTied);

/// Matrices and biases of BLOOM's and Falcon's layers, with fused queries, keys and values.
extern const std::span<const TensorRow> kFusedMatrices, kFusedBiases;
/// Norms before attention, and norms before the feed-forward network if they are separate.
extern const std::span<const TensorRow> kFusedNorms;

} // namespace headlight::core
