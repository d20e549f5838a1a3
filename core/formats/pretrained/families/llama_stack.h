// The stack shared by Llama and its relatives: RMS norms, rotary positions and gated networks.
#pragma once

#include "core/formats/pretrained/family/family.h"

namespace headlight::core {

/// A family's values of missing fields, and its differences from Llama.
struct LlamaDefaults {
    Index headSize = 0; ///< 0: the width divided by the number of heads
    // Sizes; 0: the field is required, or the number of heads for those of keys and values.
    Index heads = 0;
    Index keyValueHeads = 0;
    Index positions = 0;
    Index vocabulary = 0;
    float epsilon = 1e-6f;
    const char *activationField = "hidden_act";
    const char *activation = "silu";
    RotaryDefaults rotary{};
};

/// Reads the fields of Llama's config. The result has layers without parameters, and no windows.
FamilyModel llamaStack(const FamilyFields &fields, const LlamaDefaults &defaults = {});
/// Reads the windows of Qwen: the upper layers have one if use_sliding_window is set.
void readUpperWindows(const FamilyFields &fields, FamilyModel &model);

/// Reads the embeddings, the output matrix and the final norm.
void readLlamaWords(const FamilyFields &fields, FamilyTensors &tensors, FamilyModel &model,
                    bool isTied = false);
/// Reads the biases of attention_bias and mlp_bias, if they are set.
void readLlamaBiases(const FamilyFields &fields, FamilyTensors &tensors, FamilyModel &model);

extern const std::span<const TensorRow> kLlamaAttention;     ///< matrices
extern const std::span<const TensorRow> kLlamaFeedForward;   ///< matrices
extern const std::span<const TensorRow> kLlamaNorms;         ///< gains of layers, before the blocks
extern const std::span<const TensorRow> kLlamaInputBiases;   ///< for queries, keys and values
extern const std::span<const TensorRow> kLlamaOutputBias;    ///< for the attention's output
extern const std::span<const TensorRow> kQueryKeyNorms;      ///< gains for queries and keys
extern const std::span<const std::string_view> kLlamaStored; ///< unused tensors

} // namespace headlight::core
