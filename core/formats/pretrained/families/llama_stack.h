// The stack shared by Llama and related families: RMS norms, rotary positions and gated networks.
#pragma once

#include "core/formats/pretrained/family/family.h"

namespace headlight::core {

/// A family's values for missing fields, and its differences from Llama.
struct LlamaDefaults {
    Index headSize = 0; ///< 0: the width divided by the number of heads
    // Sizes. 0 means that the field is required; a missing keyValueHeads then equals heads.
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
/// Reads Qwen's windows: if use_sliding_window is set, the upper layers have one.
void readUpperWindows(const FamilyFields &fields, FamilyModel &model);
/// Returns 1 for each layer that rotates, else 0. This is also the meaning of the field
/// no_rope_layers, despite its name. If it is missing, or empty and `mayBeEmpty` is true, every
/// layer whose number is a multiple of no_rope_layer_interval does not rotate. Entries after the
/// last layer are ignored.
std::vector<Index> rotaryLayersIn(const FamilyFields &fields, Index layers,
                                  bool mayBeEmpty = false);

/// Reads the embeddings, the output matrix and the final norm.
void readLlamaWords(const FamilyFields &fields, FamilyTensors &tensors, FamilyModel &model,
                    bool isTied = false);
/// Also accepts the tensor names of multimodal models.
void alsoWithinImages(FamilyTensors &tensors);
/// Reads biases if attention_bias and mlp_bias are set.
void readLlamaBiases(const FamilyFields &fields, FamilyTensors &tensors, FamilyModel &model);

extern const std::span<const TensorRow> kLlamaAttention;     ///< matrices of attention
extern const std::span<const TensorRow> kLlamaFeedForward;   ///< feed-forward matrices
extern const std::span<const TensorRow> kLlamaNorms;         ///< gains of norms before the blocks
extern const std::span<const TensorRow> kLlamaInputBiases;   ///< biases of queries, keys and values
extern const std::span<const TensorRow> kLlamaOutputBias;    ///< bias of the attention's output
extern const std::span<const TensorRow> kQueryKeyNorms;      ///< gains of query and key norms
extern const std::span<const std::string_view> kLlamaStored; ///< tensors to ignore

} // namespace headlight::core
