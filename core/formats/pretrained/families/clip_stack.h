// CLIP's two models, one of texts and one of pictures, which map their input to a shared space.
#pragma once

#include "core/formats/pretrained/family/family.h"

namespace headlight::core {

/// The fields without effect in config.json.
inline constexpr std::string_view kUnusedOfClipFolder[] = {
    "projection_dim",      "initializer_factor",     "text_config_dict",
    "vision_config_dict",  "logit_scale_init_value", "text_config",
    "vision_config",       "add_cross_attention",    "cross_attention_hidden_size",
    "tie_word_embeddings", "tie_encoder_decoder"};

/// The factor of a cosine is exp(logit_scale). It must stay finite.
inline constexpr Index kMaxLogitScale = 80;

/// Ignores the fields without effect in the config of one of the two models, which is an object
/// within config.json.
void ignoreInClip(const FamilyFields &fields);

/// Reads the layers, and the norm after them: NAME.weight and NAME.bias.
void readClipLayers(FamilyTensors &tensors, FamilyModel &model,
                    std::span<const TensorRow> finalNorm);

/// Maps the pooled vector to the shared space if the folder has the matrix or, as
/// `isDeclared` says, should have it.
void readClipProjection(const FamilyFields &fields, FamilyTensors &tensors, FamilyModel &model,
                        const TensorRow &projection, bool isDeclared);

/// True if the class in config.json that the folder was saved from maps to the shared space.
bool isDeclaredWithProjection(const FamilyFields &fields);

} // namespace headlight::core
