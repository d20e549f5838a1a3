#include "core/formats/pretrained/families/clip_stack.h"

#include "core/formats/pretrained/families/vit_stack.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kClipLayers[] = {
    {"encoder.layers.{}.layer_norm1.weight", K::NormGain},
    {"encoder.layers.{}.layer_norm1.bias", K::NormBias},
    {"encoder.layers.{}.self_attn.q_proj.weight", K::Query},
    {"encoder.layers.{}.self_attn.q_proj.bias", K::QueryBias},
    {"encoder.layers.{}.self_attn.k_proj.weight", K::Key},
    {"encoder.layers.{}.self_attn.k_proj.bias", K::KeyBias},
    {"encoder.layers.{}.self_attn.v_proj.weight", K::Value},
    {"encoder.layers.{}.self_attn.v_proj.bias", K::ValueBias},
    {"encoder.layers.{}.self_attn.out_proj.weight", K::Output},
    {"encoder.layers.{}.self_attn.out_proj.bias", K::OutputBias},
    {"encoder.layers.{}.layer_norm2.weight", K::FeedForwardNormGain},
    {"encoder.layers.{}.layer_norm2.bias", K::FeedForwardNormBias},
    {"encoder.layers.{}.mlp.fc1.weight", K::Hidden},
    {"encoder.layers.{}.mlp.fc1.bias", K::HiddenBias},
    {"encoder.layers.{}.mlp.fc2.weight", K::FeedForwardOutput},
    {"encoder.layers.{}.mlp.fc2.bias", K::FeedForwardOutputBias},
};
constexpr std::string_view kUnusedOfClip[] = {"projection_dim",      "initializer_factor",
                                              "add_cross_attention", "cross_attention_hidden_size",
                                              "tie_word_embeddings", "tie_encoder_decoder"};
constexpr Index kUsualProjection = 512;
/// The factor of a cosine is exp(logit_scale). It must stay finite.
constexpr Index kMaxLogitScale = 80;

} // namespace

FamilyModel readClipPart(const ClipPart &part, FamilyFields &fields, FamilyTensors &tensors) {
    const char *name = fields.nameOf(part.overridingConfig, part.config);
    if (!fields.has(name))
        return part.read(fields, tensors, fields);
    const FamilyFields own(fields.field(name));
    own.ignore(kUnusedFields);
    own.ignore(kUnusedOfClip);
    own.refusePrunedHeads();
    for (const std::string_view pattern : part.otherModel)
        tensors.ignore(std::string(pattern));
    FamilyModel model = part.read(own, tensors, fields);
    model.logitScale = tensors.readNumber("logit_scale", kMaxLogitScale);
    return model;
}

void readClipLayers(FamilyTensors &tensors, FamilyModel &model,
                    std::span<const TensorRow> finalNorm) {
    tensors.read(model, kClipLayers);
    tensors.read(model, finalNorm);
}

bool isDeclaredWithProjection(const FamilyFields &fields) {
    return isDeclaredAs(fields, "ModelWithProjection") || isDeclaredAs(fields, "CLIPModel");
}

void readClipProjection(const FamilyFields &fields, FamilyTensors &tensors, FamilyModel &model,
                        const TensorRow &projection, bool isDeclared) {
    if (!isDeclared && !tensors.has(projection.name))
        return;
    model.config.outputLayer.kind = OutputLayerKind::Projection;
    model.config.outputLayer.classes = fields.size("projection_dim", kMaxWidth, kUsualProjection);
    if (fields.isSound())
        tensors.read(model, std::span(&projection, 1));
}

} // namespace headlight::core
