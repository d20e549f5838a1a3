// GPT-NeoX, such as Pythia (modeling_gpt_neox.py of transformers): parallel blocks with a norm
// each, rotary positions of a part of each head, and queries, keys and values fused head by head.
#include "core/formats/pretrained/families/families.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kNeoxParameters[] = {
    {"gpt_neox.embed_in.weight", K::Embeddings},
    {"gpt_neox.layers.{}.input_layernorm.weight", K::NormGain},
    {"gpt_neox.layers.{}.input_layernorm.bias", K::NormBias},
    {"gpt_neox.layers.{}.attention.query_key_value.weight",
     {K::Query, K::Key, K::Value},
     Stack::Main,
     Block::SelfAttention,
     HeadRows::PerGroup},
    {"gpt_neox.layers.{}.attention.dense.weight", K::Output},
    {"gpt_neox.layers.{}.post_attention_layernorm.weight", K::FeedForwardNormGain},
    {"gpt_neox.layers.{}.post_attention_layernorm.bias", K::FeedForwardNormBias},
    {"gpt_neox.layers.{}.mlp.dense_h_to_4h.weight", K::Hidden},
    {"gpt_neox.layers.{}.mlp.dense_h_to_4h.bias", K::HiddenBias},
    {"gpt_neox.layers.{}.mlp.dense_4h_to_h.weight", K::FeedForwardOutput},
    {"gpt_neox.layers.{}.mlp.dense_4h_to_h.bias", K::FeedForwardOutputBias},
    {"gpt_neox.final_layer_norm.weight", K::FinalNormGain},
    {"gpt_neox.final_layer_norm.bias", K::FinalNormBias},
};
constexpr TensorRow kNeoxAttentionBiases[] = {
    {"gpt_neox.layers.{}.attention.query_key_value.bias",
     {K::QueryBias, K::KeyBias, K::ValueBias},
     Stack::Main,
     Block::SelfAttention,
     HeadRows::PerGroup},
    {"gpt_neox.layers.{}.attention.dense.bias", K::OutputBias},
};
constexpr TensorRow kNeoxOutput[] = {{"embed_out.weight", K::OutputMatrix}};

FamilyModel readGptNeox(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model;
    Config &config = model.config;
    config.width = fields.size("hidden_size", kMaxWidth);
    config.heads = fields.size("num_attention_heads", kMaxHeads);
    config.headSize = fields.headSize(config.width, "num_attention_heads", config.heads);
    config.positions = Positions::Rotary;
    const Index positions = fields.size("max_position_embeddings", kMaxConfigPositions);
    config.rotary =
        readRotary(fields, config.headSize, positions,
                   {.share = 0.25, .olderBase = "rotary_emb_base", .olderShare = "rotary_pct"});
    config.norm = {NormKind::Layer, NormPosition::Before, fields.positive("layer_norm_eps", 1e-5f),
                   true, false};
    config.residual = true;
    config.parallel = fields.flag("use_parallel_residual", true);
    config.feedForward = {fields.size("intermediate_size", kMaxFeedForwardWidth),
                          fields.activation("hidden_act", "gelu"), false};
    config.outputLayer.kind = OutputLayerKind::Language;
    const bool hasBiases = fields.flag("attention_bias", true);
    const Index layers = fields.size("num_hidden_layers", kMaxLayers);
    model.vocabulary = fields.size("vocab_size", kMaxVocabulary);
    model.masks = {CausalMask{}};
    if (!fields.isSound())
        return model;

    model.parameters.main.layers.resize(static_cast<std::size_t>(layers));
    const bool isTied = tensors.isTied(fields.optionalFlag("tie_word_embeddings"),
                                       {"gpt_neox.embed_in.weight", "embed_out.weight"}, false);
    tensors.read(model, kNeoxParameters);
    if (hasBiases)
        tensors.read(model, kNeoxAttentionBiases);
    if (!isTied)
        tensors.read(model, kNeoxOutput);
    return model;
}

constexpr std::string_view kNeoxTypes[] = {"gpt_neox"};
// The first two are buffers: a mask and the number that hides a score.
constexpr std::string_view kNeoxStored[] = {
    "gpt_neox.layers.*.attention.bias", "gpt_neox.layers.*.attention.masked_bias",
    "gpt_neox.layers.*.attention.rotary_emb.*", "gpt_neox.rotary_emb.inv_freq"};

} // namespace

const Family kGptNeox{
    .name = "GPT-NeoX",
    .paper = "Black et al. 2022, GPT-NeoX-20B: An Open-Source Autoregressive Language Model",
    .modelTypes = kNeoxTypes,
    .prefix = "gpt_neox.",
    .unusedFields = {},
    .unusedTensors = kNeoxStored,
    .read = readGptNeox,
};

} // namespace headlight::core
