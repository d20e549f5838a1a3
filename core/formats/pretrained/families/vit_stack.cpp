#include "core/formats/pretrained/families/vit_stack.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kVitLayers[] = {
    {"embeddings.patch_embeddings.projection.weight", K::EmbeddingProjection},
    {"embeddings.position_embeddings", K::Positions},
    {"encoder.layer.{}.layernorm_before.weight", K::NormGain},
    {"encoder.layer.{}.layernorm_before.bias", K::NormBias},
    {"encoder.layer.{}.attention.attention.query.weight", K::Query},
    {"encoder.layer.{}.attention.attention.key.weight", K::Key},
    {"encoder.layer.{}.attention.attention.value.weight", K::Value},
    {"encoder.layer.{}.attention.output.dense.weight", K::Output},
    {"encoder.layer.{}.attention.output.dense.bias", K::OutputBias},
    {"encoder.layer.{}.layernorm_after.weight", K::FeedForwardNormGain},
    {"encoder.layer.{}.layernorm_after.bias", K::FeedForwardNormBias},
    {"encoder.layer.{}.intermediate.dense.weight", K::Hidden},
    {"encoder.layer.{}.intermediate.dense.bias", K::HiddenBias},
    {"encoder.layer.{}.output.dense.weight", K::FeedForwardOutput},
    {"encoder.layer.{}.output.dense.bias", K::FeedForwardOutputBias},
    {"layernorm.weight", K::FinalNormGain},
    {"layernorm.bias", K::FinalNormBias},
};
constexpr TensorRow kVitBiases[] = {
    {"encoder.layer.{}.attention.attention.query.bias", K::QueryBias},
    {"encoder.layer.{}.attention.attention.key.bias", K::KeyBias},
    {"encoder.layer.{}.attention.attention.value.bias", K::ValueBias},
};

} // namespace

FamilyModel vitStack(const FamilyFields &fields, const UsualPicture &usual) {
    FamilyModel model;
    Config &config = model.config;
    config.width = fields.size("hidden_size", kMaxWidth, 768);
    config.heads = fields.size("num_attention_heads", kMaxHeads, 12);
    config.headSize = fields.headSize(config.width, "num_attention_heads", config.heads);
    config.positions = Positions::Learned;
    config.projectsFirst = true;
    config.norm = {NormKind::Layer, NormPosition::Before,
                   fields.positive("layer_norm_eps", usual.epsilon), true, false};
    config.residual = true;
    config.feedForward = {fields.size("intermediate_size", kMaxFeedForwardWidth, 3072),
                          fields.activation("hidden_act", usual.activation), false};
    PicturePatches &picture = config.picture;
    picture.side = fields.size("patch_size", kMaxPatchSide, usual.side);
    const Index pixels = fields.size("image_size", kMaxPatches * kMaxPatchSide, 224);
    if (fields.size("num_channels", kMaxWidth, 3) != PicturePatches::kChannels)
        fields.refuse("num_channels", "Headlight reads pictures of three channels",
                      "it must be 3: red, green and blue");
    if (pixels < picture.side && fields.isSound())
        fields.refuse("image_size", {"a patch of %1 pixels does not fit into it", picture.side},
                      "it must be at least patch_size");
    picture.rows = picture.columns = pixels / picture.side;
    if (picture.count() > kMaxPatches && fields.isSound())
        fields.refuse("image_size", {"it makes %1 patches", picture.count()},
                      {"Headlight reads pictures of at most %1 patches", kMaxPatches});
    picture.before = usual.before;
    picture.mean.assign(usual.mean.begin(), usual.mean.end());
    picture.deviation.assign(usual.deviation.begin(), usual.deviation.end());
    config.embeddingWidth = picture.width();
    model.positions = picture.tokens();
    model.parameters.main.layers.resize(
        static_cast<std::size_t>(fields.size("num_hidden_layers", kMaxLayers, 12)));
    return model;
}

void readVitLayers(const FamilyFields &fields, FamilyTensors &tensors, FamilyModel &model) {
    const bool hasBiases = fields.flag("qkv_bias", true);
    tensors.read(model, kVitLayers);
    if (hasBiases)
        tensors.read(model, kVitBiases);
}

bool isDeclaredAs(const FamilyFields &fields, std::string_view end) {
    const Field names = fields.field("architectures");
    return names.is(JsonValue::Kind::Array) && names.size() > 0 &&
           names.element(0).is(JsonValue::Kind::String) &&
           names.element(0).value().text().ends_with(end);
}

void classifyPicture(const TensorInfo *classifier, Config &config) {
    constexpr Index kUsualClasses = 2;
    config.outputLayer.kind = OutputLayerKind::Classifier;
    config.outputLayer.classes =
        classifier && classifier->shape.rank() == 2 ? classifier->shape[0] : kUsualClasses;
    config.outputLayer.pooling = Pooling::First;
}

} // namespace headlight::core
