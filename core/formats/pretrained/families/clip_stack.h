// CLIP's two models, one of texts and one of pictures, which map their input to a shared space.
#pragma once

#include "core/formats/pretrained/family/family.h"

#include <array>

namespace headlight::core {

/// The fields without effect in config.json.
inline constexpr std::string_view kUnusedOfClipFolder[] = {
    "projection_dim",      "initializer_factor",     "text_config_dict",
    "vision_config_dict",  "logit_scale_init_value", "text_config",
    "vision_config",       "add_cross_attention",    "cross_attention_hidden_size",
    "tie_word_embeddings", "tie_encoder_decoder"};

/// One of the two models in a folder of both.
struct ClipPart {
    const char *config;                         ///< its object in config.json
    const char *overridingConfig;               ///< the same, which replaces the other one
    std::array<std::string_view, 2> otherModel; ///< patterns of the other model's tensors
    /// Reads the model from its own fields; `whole` has those of the folder.
    FamilyModel (*read)(const FamilyFields &fields, FamilyTensors &tensors,
                        const FamilyFields &whole);
};

/// Reads one of the two models of a folder, or the only one.
FamilyModel readClipPart(const ClipPart &part, FamilyFields &fields, FamilyTensors &tensors);

/// Reads the layers, and the norm after them: NAME.weight and NAME.bias.
void readClipLayers(FamilyTensors &tensors, FamilyModel &model,
                    std::span<const TensorRow> finalNorm);

/// Maps the pooled vector to the shared space if the folder has the matrix. `isDeclared`: it should
/// have the matrix.
void readClipProjection(const FamilyFields &fields, FamilyTensors &tensors, FamilyModel &model,
                        const TensorRow &projection, bool isDeclared);

/// True if the class in config.json that the folder was saved from maps to the shared space.
bool isDeclaredWithProjection(const FamilyFields &fields);

} // namespace headlight::core
