// Falcon (modeling_falcon.py of transformers): parallel blocks behind one norm or with a norm each,
// few heads of keys and values, fused with the queries group by group. The variant with ALiBi is
// refused, because its numbers are rounded to 8 bits.
#include "core/formats/pretrained/families/families.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kFalconMatrices[] = {
    {"transformer.word_embeddings.weight", K::Embeddings},
    {"transformer.h.{}.self_attention.query_key_value.weight",
     {K::Query, K::Key, K::Value},
     Stack::Main,
     Block::SelfAttention,
     HeadRows::PerGroup},
    {"transformer.h.{}.self_attention.dense.weight", K::Output},
    {"transformer.h.{}.mlp.dense_h_to_4h.weight", K::Hidden},
    {"transformer.h.{}.mlp.dense_4h_to_h.weight", K::FeedForwardOutput},
    {"transformer.ln_f.weight", K::FinalNormGain},
    {"transformer.ln_f.bias", K::FinalNormBias},
};
constexpr TensorRow kFalconBiases[] = {
    {"transformer.h.{}.self_attention.query_key_value.bias",
     {K::QueryBias, K::KeyBias, K::ValueBias},
     Stack::Main,
     Block::SelfAttention,
     HeadRows::PerGroup},
    {"transformer.h.{}.self_attention.dense.bias", K::OutputBias},
    {"transformer.h.{}.mlp.dense_h_to_4h.bias", K::HiddenBias},
    {"transformer.h.{}.mlp.dense_4h_to_h.bias", K::FeedForwardOutputBias},
};
constexpr TensorRow kFalconNorms[] = {
    {"transformer.h.{}.input_layernorm.weight", K::NormGain},
    {"transformer.h.{}.input_layernorm.bias", K::NormBias},
    // Only if blocks are not parallel:
    {"transformer.h.{}.post_attention_layernorm.weight", K::FeedForwardNormGain},
    {"transformer.h.{}.post_attention_layernorm.bias", K::FeedForwardNormBias},
};
constexpr TensorRow kFalconTwoNorms[] = {
    {"transformer.h.{}.ln_attn.weight", K::NormGain},
    {"transformer.h.{}.ln_attn.bias", K::NormBias},
    {"transformer.h.{}.ln_mlp.weight", K::FeedForwardNormGain},
    {"transformer.h.{}.ln_mlp.bias", K::FeedForwardNormBias},
};
constexpr TensorRow kFalconOutput[] = {{"lm_head.weight", K::OutputMatrix}};

FamilyModel readFalcon(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model;
    Config &config = model.config;
    config.width = fields.size(fields.nameOf("hidden_size", "n_embed"), kMaxWidth);
    const char *headsField = fields.nameOf("num_attention_heads", "n_head");
    config.heads = fields.size(headsField, kMaxHeads);
    config.headSize = fields.headSize(config.width, headsField, config.heads);
    const bool isNew = fields.flag("new_decoder_architecture", false);
    const Index groups =
        fields.size(fields.nameOf("num_kv_heads", "n_head_kv"), kMaxHeads, config.heads);
    const bool isMultiQuery = fields.flag("multi_query", true);
    config.keyValueHeads = isNew ? groups : isMultiQuery ? 1 : config.heads;
    fields.mustBe("alibi", false);
    fields.mustBe("apply_residual_connection_post_layernorm", false);
    config.positions = Positions::Rotary;
    const Index positions = fields.size("max_position_embeddings", kMaxConfigPositions, 2048);
    config.rotary = readRotary(fields, config.headSize, positions);
    config.norm = {NormKind::Layer, NormPosition::Before,
                   fields.positive("layer_norm_epsilon", 1e-5f), true, false};
    config.residual = true;
    config.parallel = fields.flag("parallel_attn", true);
    if (isNew && !config.parallel)
        fields.refuse("parallel_attn", "the new decoder architecture has only parallel blocks",
                      "set it to true");
    const Index norms = fields.size("num_ln_in_parallel_attn", 2, isNew ? 2 : 1);
    const bool hasTwo = isNew && norms == 2;
    config.sharedNorm = config.parallel && !hasTwo;
    config.feedForward = {fields.size("ffn_hidden_size", kMaxFeedForwardWidth, 4 * config.width),
                          fields.activation("activation", "gelu"), false};
    config.outputLayer.kind = OutputLayerKind::Language;
    const bool hasBiases = fields.flag("bias", false);
    const Index layers = fields.size(fields.nameOf("num_hidden_layers", "n_layer"), kMaxLayers);
    model.vocabulary = fields.size("vocab_size", kMaxVocabulary);
    model.masks = {CausalMask{}};
    if (!fields.isSound())
        return model;

    model.parameters.main.layers.resize(static_cast<std::size_t>(layers));
    const bool isTied =
        tensors.isTied(fields.optionalFlag("tie_word_embeddings"),
                       {"transformer.word_embeddings.weight", "lm_head.weight"}, true);
    tensors.read(model, kFalconMatrices);
    tensors.read(model, hasTwo ? std::span<const TensorRow>(kFalconTwoNorms) : kFalconNorms);
    if (hasBiases)
        tensors.read(model, kFalconBiases);
    if (!isTied)
        tensors.read(model, kFalconOutput);
    return model;
}

constexpr std::string_view kFalconTypes[] = {"falcon"};
constexpr std::string_view kFalconUnused[] = {"num_kv_heads", "n_head_kv", "n_embed", "n_head",
                                              "n_layer"};
constexpr std::string_view kFalconStored[] = {
    "transformer.h.*.self_attention.maybe_rotary.inv_freq",
    "transformer.h.*.self_attention.rotary_emb.inv_freq", "transformer.rotary_emb.inv_freq"};

} // namespace

const Family kFalcon{
    .name = "Falcon",
    .paper = "Almazrouei et al. 2023, The Falcon Series of Open Language Models",
    .modelTypes = kFalconTypes,
    .prefix = "transformer.",
    .unusedFields = kFalconUnused,
    .unusedTensors = kFalconStored,
    .read = readFalcon,
};

} // namespace headlight::core
