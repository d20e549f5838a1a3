// CLIP's picture model (modeling_clip.py of transformers), alone or together with the text model: a
// ViT with a norm before the layers and without a patch bias.
#include "core/formats/pretrained/families/clip_stack.h"
#include "core/formats/pretrained/families/families.h"
#include "core/formats/pretrained/families/vit_stack.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kClipPatches[] = {
    {"embeddings.patch_embedding.weight", K::EmbeddingProjection},
    {"embeddings.position_embedding.weight", K::Positions},
    {"pre_layrnorm.weight", K::EmbeddingNormGain}, // spelled like this in the files
    {"pre_layrnorm.bias", K::EmbeddingNormBias},
};
constexpr TensorRow kClipVisionNorm[] = {
    {"post_layernorm.weight", K::FinalNormGain},
    {"post_layernorm.bias", K::FinalNormBias},
};
constexpr TensorRow kVisualProjection{"visual_projection.weight", K::Projection};
/// Token type vectors. Patches have none; [CLS] has its embedding.
constexpr std::string_view kClipTypes[] = {"", "embeddings.class_embedding"};

constexpr UsualPicture kClipPicture{.before = 1,
                                    .mean = {0.48145466f, 0.4578275f, 0.40821073f},
                                    .deviation = {0.26862954f, 0.26130258f, 0.27577711f},
                                    .side = 32,
                                    .epsilon = 1e-5f,
                                    .activation = "quick_gelu"};

FamilyModel clipVisionOf(const FamilyFields &fields, FamilyTensors &tensors,
                         const FamilyFields &whole) {
    FamilyModel model = vitStack(fields, kClipPicture);
    model.config.norm.embedding = true;
    model.config.outputLayer.pooling = Pooling::First;
    if (!fields.isSound())
        return model;
    tensors.read(model, kClipPatches);
    tensors.readTokenTypes(model, kClipTypes);
    readClipLayers(tensors, model, kClipVisionNorm);
    readClipProjection(whole, tensors, model, kVisualProjection, isDeclaredWithProjection(whole));
    return model;
}

FamilyModel readClipVision(FamilyFields &fields, FamilyTensors &tensors) {
    return readClipPart({"vision_config",
                         "vision_config_dict",
                         {{"text_model.*", "text_projection.weight"}},
                         clipVisionOf},
                        fields, tensors);
}

constexpr std::string_view kClipVisionTypes[] = {"clip_vision_model"};
constexpr std::string_view kClipVisionIgnored[] = {"vision_model.embeddings.position_ids"};

} // namespace

const Family kClipVision{
    .name = "CLIP (pictures)",
    .paper = "Radford et al. 2021, Learning Transferable Visual Models From Natural Language "
             "Supervision",
    .notes = "The model of pictures of [CLIP](#clip), in a folder of both or alone, with its "
             "projection or without. Not `CLIPForImageClassification`",
    .modelTypes = kClipVisionTypes,
    .prefix = "vision_model.",
    .unusedFields = kUnusedOfClipFolder,
    .unusedTensors = kClipVisionIgnored,
    .read = readClipVision,
};

} // namespace headlight::core
