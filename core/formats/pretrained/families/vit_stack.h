// The layers of vision transformers in the format of transformers: ViT and DeiT.
#pragma once

#include "core/formats/pretrained/family/family.h"

namespace headlight::core {

/// Reads the config of a vision transformer without an output layer. The patches come after
/// `before` tokens with learned vectors. `mean` and `deviation` are those of each channel if the
/// folder does not specify them.
struct UsualPicture {
    Index before = 1;
    std::array<float, 3> mean{0.5f, 0.5f, 0.5f}, deviation{0.5f, 0.5f, 0.5f};
};
FamilyModel vitStack(const FamilyFields &fields, const UsualPicture &usual);

/// Reads the patches' matrix and the layers.
void readVitLayers(const FamilyFields &fields, FamilyTensors &tensors, FamilyModel &model);

/// Predicts a class from the first token, without another layer before the classifier, if the
/// folder has one or should have one.
void classifyPicture(const FamilyFields &fields, const TensorInfo *classifier, Config &config);

} // namespace headlight::core
