// CLIP's two models, one for texts and one for pictures, which map their input to a shared space.
#pragma once

#include "core/formats/pretrained/family/family.h"

#include <array>

namespace headlight::core {

/// The fields of config.json that have no effect.
inline constexpr std::string_view kUnusedOfClipFolder[] = {
    "projection_dim",      "initializer_factor",     "text_config_dict",
    "vision_config_dict",  "logit_scale_init_value", "text_config",
    "vision_config",       "add_cross_attention",    "cross_attention_hidden_size",
    "tie_word_embeddings", "tie_encoder_decoder"};

/// One of the two models in a folder that has both.
struct ClipPart {
    const char *config;                         ///< its object in config.json
    const char *overridingConfig;               ///< takes precedence over `config`
    std::array<std::string_view, 2> otherModel; ///< patterns of the other model's tensors
    /// Reads the model from its own fields; `whole` has the fields of the folder.
    FamilyModel (*read)(const FamilyFields &fields, FamilyTensors &tensors,
                        const FamilyFields &whole);
};

/// Reads one of the folder's two models, or its only model.
FamilyModel readClipPart(const ClipPart &part, FamilyFields &fields, FamilyTensors &tensors);

/// Reads the layers, and the norm after them: NAME.weight and NAME.bias.
void readClipLayers(FamilyTensors &tensors, FamilyModel &model,
                    std::span<const TensorRow> finalNorm);

/// Reads the matrix that maps the pooled vector to the shared space. `isDeclared`: the matrix is
/// required; otherwise it is optional.
void readClipProjection(const FamilyFields &fields, FamilyTensors &tensors, FamilyModel &model,
                        const TensorRow &projection, bool isDeclared);

/// True if the model class named in config.json maps to the shared space.
bool isDeclaredWithProjection(const FamilyFields &fields);

} // namespace headlight::core
