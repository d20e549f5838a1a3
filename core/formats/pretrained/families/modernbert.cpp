// ModernBERT (modeling_modernbert.py of transformers): pre-norm and gated networks. The first
// attention has no norm, because it reads the normalised embeddings. Layers with a window have
// another rotation base than layers that see all tokens.
#include "core/formats/pretrained/families/bert_stack.h"
#include "core/formats/pretrained/families/families.h"

#include <algorithm>

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr float kGlobalBase = 160000, kModernLocalBase = 10000;

constexpr TensorRow kModernWords[] = {
    {"model.embeddings.tok_embeddings.weight", K::Embeddings},
};
constexpr TensorRow kModernMatrices[] = {
    {"model.layers.{}.attn.Wqkv.weight", {K::Query, K::Key, K::Value}},
    {"model.layers.{}.attn.Wo.weight", K::Output},
    {"model.layers.{}.mlp.Wi.weight", {K::Gate, K::Hidden}},
    {"model.layers.{}.mlp.Wo.weight", K::FeedForwardOutput},
};
constexpr TensorRow kModernAttentionBiases[] = {
    {"model.layers.{}.attn.Wqkv.bias", {K::QueryBias, K::KeyBias, K::ValueBias}},
    {"model.layers.{}.attn.Wo.bias", K::OutputBias},
};
constexpr TensorRow kModernNetworkBiases[] = {
    {"model.layers.{}.mlp.Wi.bias", {K::GateBias, K::HiddenBias}},
    {"model.layers.{}.mlp.Wo.bias", K::FeedForwardOutputBias},
};
constexpr TensorRow kModernGains[] = {
    {"model.embeddings.norm.weight", K::EmbeddingNormGain},
    {"model.layers.{}.attn_norm.weight", K::NormGain},
    {"model.layers.{}.mlp_norm.weight", K::FeedForwardNormGain},
    {"model.final_norm.weight", K::FinalNormGain},
    {"head.norm.weight", K::PredictionNormGain},
};
constexpr TensorRow kModernNormBiases[] = {
    {"model.embeddings.norm.bias", K::EmbeddingNormBias},
    {"model.layers.{}.attn_norm.bias", K::NormBias},
    {"model.layers.{}.mlp_norm.bias", K::FeedForwardNormBias},
    {"model.final_norm.bias", K::FinalNormBias},
    {"head.norm.bias", K::PredictionNormBias},
};
constexpr TensorRow kModernHead[] = {{"head.dense.weight", K::PredictionTransform}};
constexpr TensorRow kModernHeadBias[] = {{"head.dense.bias", K::PredictionTransformBias}};
constexpr TensorRow kModernOutput[] = {{"decoder.weight", K::OutputMatrix}};
constexpr TensorRow kModernOutputBias[] = {{"decoder.bias", K::OutputMatrixBias}};

/// Reads the rotations of layers that see all tokens and of layers with a window. Each has a field
/// or, in newer files, an object.
void readRotations(const FamilyFields &fields, Config &config) {
    const Index positions = fields.size("max_position_embeddings", kMaxConfigPositions, 8192);
    const RotaryDefaults global{.base = kGlobalBase, .olderBase = "global_rope_theta"};
    if (fields.has("rope_scaling"))
        fields.refuse("rope_scaling", "the rotations are scaled for long texts",
                      "Headlight reads this family without scaling");
    const Field parameters = fields.field("rope_parameters");
    config.rotary =
        readRotary(fields, parameters.member("full_attention"), config.headSize, positions, global);
    const bool isNull = fields.field("local_rope_theta").is(JsonValue::Kind::Null);
    config.localRotaryBase =
        isNull ? config.rotary.base : fields.positive("local_rope_theta", kModernLocalBase);
    const Field local = parameters.member("sliding_attention");
    if (!local.present())
        return;
    if (const Field type = local.member("rope_type"); type.present())
        (void)type.word({"default"});
    if (const Field base = local.member("rope_theta"); base.present())
        config.localRotaryBase = base.positive().value_or(kModernLocalBase);
}

/// Reads the window of each layer. A window of n tokens extends n/2 tokens to both sides.
void readLocalAttention(const FamilyFields &fields, Index layers, Config &config) {
    const Index reach = fields.size("local_attention", kMaxConfigPositions, 128) / 2;
    const Index period = fields.size("global_attn_every_n_layers", kMaxLayers, 3);
    config.windows = fields.windows("layer_types", layers, std::min(reach + 1, kMaxPositions),
                                    [period](Index layer) { return layer % period != 0; });
}

FamilyModel readModernBert(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model;
    Config &config = model.config;
    config.width = fields.size("hidden_size", kMaxWidth);
    config.heads = fields.size("num_attention_heads", kMaxHeads);
    config.headSize = fields.headSize(config.width, "num_attention_heads", config.heads);
    config.norm = {NormKind::Layer, NormPosition::Before, fields.positive("norm_eps", 1e-5f), true,
                   true};
    config.norm.skipsFirst = true;
    config.residual = true;
    config.feedForward = {fields.size("intermediate_size", kMaxFeedForwardWidth),
                          fields.activation("hidden_activation", "gelu"), true};
    config.positions = Positions::Rotary;
    readRotations(fields, config);
    const Index layers = fields.size("num_hidden_layers", kMaxLayers);
    readLocalAttention(fields, layers, config);
    const bool hasBiases = fields.flag("attention_bias", false);
    const bool hasNetworkBiases = fields.flag("mlp_bias", false);
    const bool hasNormBiases = fields.flag("norm_bias", false);
    const bool hasHeadBias = fields.flag("classifier_bias", false);
    const bool hasOutputBias = fields.flag("decoder_bias", true);
    const Activation headActivation = fields.activation("classifier_activation", "gelu");
    const bool saidTied = fields.flag("tie_word_embeddings", true);
    model.vocabulary = fields.size("vocab_size", kMaxVocabulary);
    model.masks = {PaddingMask{}};
    const bool isMasked = tensors.has("head.dense.weight|head.norm.weight|decoder.bias") &&
                          !tensors.has("classifier.weight");
    if (isMasked)
        predictMasked(config, headActivation);
    if (!fields.isSound())
        return model;

    model.parameters.main.layers.resize(static_cast<std::size_t>(layers));
    const bool isTied =
        isMasked && tensors.isTied(saidTied, {kModernWords[0].name, kModernOutput[0].name}, true);
    const auto read = [&](std::span<const TensorRow> table, bool isThere) {
        if (isThere)
            tensors.read(model, table);
    };
    read(kModernWords, true);
    read(kModernMatrices, true);
    read(kModernGains, true);
    read(kModernAttentionBiases, hasBiases);
    read(kModernNetworkBiases, hasNetworkBiases);
    read(kModernNormBiases, hasNormBiases);
    read(kModernHead, isMasked);
    read(kModernHeadBias, isMasked && hasHeadBias);
    read(kModernOutput, isMasked && !isTied);
    read(kModernOutputBias, isMasked && hasOutputBias);
    return model;
}

constexpr std::string_view kModernTypes[] = {"modernbert"};
constexpr std::string_view kModernUnused[] = {"initializer_cutoff_factor",
                                              "embedding_dropout",
                                              "mlp_dropout",
                                              "classifier_pooling",
                                              "deterministic_flash_attn",
                                              "sparse_prediction",
                                              "sparse_pred_ignore_index",
                                              "reference_compile",
                                              "repad_logits_with_grad",
                                              "layer_norm_eps",
                                              "position_embedding_type",
                                              "global_attn_every_n_layers"};
// Tensors to ignore. The classifier is not supported, because an additional layer precedes it.
constexpr std::string_view kModernIgnored[] = {"classifier.*", "head.*"};

} // namespace

const Family kModernBert{
    .name = "ModernBERT",
    .paper = "Warner et al. 2024, Smarter, Better, Faster, Longer: A Modern Bidirectional Encoder "
             "for Fast, Memory Efficient, and Long Context Finetuning and Inference",
    .notes = "ModernBERT: windows in some layers, two bases of the rotation, no norm before the "
             "first attention. Its text classifier is not supported, and is ignored",
    .modelTypes = kModernTypes,
    .prefix = "model.",
    .unusedFields = kModernUnused,
    .unusedTensors = kModernIgnored,
    .read = readModernBert,
};

} // namespace headlight::core
