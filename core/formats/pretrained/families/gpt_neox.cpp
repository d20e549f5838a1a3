// GPT-NeoX, such as Pythia (modeling_gpt_neox.py of transformers): parallel blocks with a norm
// each, rotary positions in a part of each head, and queries, keys and values fused head by head.
#include "core/formats/pretrained/families/families.h"
#include "core/formats/pretrained/families/gpt_stack.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kNeoxParameters[] = {
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

FamilyModel readGptNeox(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model = gptStack(fields);
    Config &config = model.config;
    config.positions = Positions::Rotary;
    const Index positions = fields.size("max_position_embeddings", kMaxConfigPositions);
    config.rotary =
        readRotary(fields, config.headSize, positions,
                   {.share = 0.25, .olderBase = "rotary_emb_base", .olderShare = "rotary_pct"});
    config.norm = {NormKind::Layer, NormPosition::Before, fields.positive("layer_norm_eps", 1e-5f),
                   true, false};
    config.parallel = fields.flag("use_parallel_residual", true);
    config.feedForward = {fields.size("intermediate_size", kMaxFeedForwardWidth),
                          fields.activation("hidden_act", "gelu"), false};
    const bool hasBiases = fields.flag("attention_bias", true);
    if (!fields.isSound())
        return model;

    readGptWords(fields, tensors, model, {"gpt_neox.embed_in.weight", "embed_out.weight"}, false);
    tensors.read(model, kNeoxParameters);
    if (hasBiases)
        tensors.read(model, kNeoxAttentionBiases);
    return model;
}

constexpr std::string_view kNeoxTypes[] = {"gpt_neox"};
// Tensors to ignore: a mask, the value for hidden scores, and the rotation frequencies.
constexpr std::string_view kNeoxStored[] = {
    "gpt_neox.layers.*.attention.bias", "gpt_neox.layers.*.attention.masked_bias",
    "gpt_neox.layers.*.attention.rotary_emb.*", "gpt_neox.rotary_emb.inv_freq"};

} // namespace

const Family kGptNeox{
    .name = "GPT-NeoX",
    .paper = "Black et al. 2022, GPT-NeoX-20B: An Open-Source Autoregressive Language Model",
    .notes = "GPT-NeoX, such as Pythia, with parallel blocks or without",
    .modelTypes = kNeoxTypes,
    .prefix = "gpt_neox.",
    .unusedFields = {},
    .unusedTensors = kNeoxStored,
    .read = readGptNeox,
};

} // namespace headlight::core
