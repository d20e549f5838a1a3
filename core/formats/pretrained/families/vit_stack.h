// The layers of vision transformers in the format of transformers, such as ViT.
#pragma once

#include "core/formats/pretrained/family/family.h"

namespace headlight::core {

/// A family's values for missing fields.
struct UsualPicture {
    Index before = 1; ///< number of tokens before the patches
    std::array<float, 3> mean{0.5f, 0.5f, 0.5f}, deviation{0.5f, 0.5f, 0.5f}; ///< one per channel
    Index side = 16;        ///< pixels of a patch, per side
    float epsilon = 1e-12f; ///< ε of the norms
    const char *activation = "gelu";
};

/// The fields of config.json that have no effect.
inline constexpr std::string_view kUnusedOfVit[] = {"encoder_stride", "pooler_output_size",
                                                    "pooler_act"};

/// Reads the config of a vision transformer without an output layer.
FamilyModel vitStack(const FamilyFields &fields, const UsualPicture &usual);

/// Reads the patches' matrix and the layers.
void readVitLayers(const FamilyFields &fields, FamilyTensors &tensors, FamilyModel &model);

/// True if the name of the model class in config.json ends with `end`, such as
/// "ForImageClassification".
bool isDeclaredAs(const FamilyFields &fields, std::string_view end);

/// Predicts a class from the first token, without another layer before the classifier. `classifier`
/// has one row per class; null: it is missing.
void classifyPicture(const TensorInfo *classifier, Config &config);

} // namespace headlight::core
