// BLOOM (modeling_bloom.py of transformers): ALiBi, a norm of the embeddings, and queries, keys and
// values fused head by head. transformers adds slope · j to the scores, and Headlight slope ·
// (j − i), which differs by a constant in each row and gives the same attention weights.
#include "core/formats/pretrained/families/families.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kBloomParameters[] = {
    {"transformer.word_embeddings.weight", K::Embeddings},
    {"transformer.word_embeddings_layernorm.weight", K::EmbeddingNormGain},
    {"transformer.word_embeddings_layernorm.bias", K::EmbeddingNormBias},
    {"transformer.h.{}.input_layernorm.weight", K::NormGain},
    {"transformer.h.{}.input_layernorm.bias", K::NormBias},
    {"transformer.h.{}.self_attention.query_key_value.weight",
     {K::Query, K::Key, K::Value},
     Stack::Main,
     Block::SelfAttention,
     HeadRows::PerGroup},
    {"transformer.h.{}.self_attention.query_key_value.bias",
     {K::QueryBias, K::KeyBias, K::ValueBias},
     Stack::Main,
     Block::SelfAttention,
     HeadRows::PerGroup},
    {"transformer.h.{}.self_attention.dense.weight", K::Output},
    {"transformer.h.{}.self_attention.dense.bias", K::OutputBias},
    {"transformer.h.{}.post_attention_layernorm.weight", K::FeedForwardNormGain},
    {"transformer.h.{}.post_attention_layernorm.bias", K::FeedForwardNormBias},
    {"transformer.h.{}.mlp.dense_h_to_4h.weight", K::Hidden},
    {"transformer.h.{}.mlp.dense_h_to_4h.bias", K::HiddenBias},
    {"transformer.h.{}.mlp.dense_4h_to_h.weight", K::FeedForwardOutput},
    {"transformer.h.{}.mlp.dense_4h_to_h.bias", K::FeedForwardOutputBias},
    {"transformer.ln_f.weight", K::FinalNormGain},
    {"transformer.ln_f.bias", K::FinalNormBias},
};
constexpr TensorRow kBloomOutput[] = {{"lm_head.weight", K::OutputMatrix}};

FamilyModel readBloom(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model;
    Config &config = model.config;
    config.width = fields.size(fields.nameOf("hidden_size", "n_embed"), kMaxWidth);
    const char *headsField = fields.nameOf("n_head", "num_attention_heads");
    config.heads = fields.size(headsField, kMaxHeads);
    config.headSize = fields.headSize(config.width, headsField, config.heads);
    config.positions = Positions::Alibi;
    fields.mustBe("apply_residual_connection_post_layernorm", false);
    config.norm = {NormKind::Layer, NormPosition::Before,
                   fields.positive("layer_norm_epsilon", 1e-5f), true, true};
    config.residual = true;
    config.feedForward = {4 * config.width, Activation::GeluTanh, false};
    config.outputLayer.kind = OutputLayerKind::Language;
    const Index layers = fields.size(fields.nameOf("n_layer", "num_hidden_layers"), kMaxLayers);
    model.vocabulary = fields.size("vocab_size", kMaxVocabulary);
    model.masks = {CausalMask{}};
    if (!fields.isSound())
        return model;

    model.parameters.main.layers.resize(static_cast<std::size_t>(layers));
    const bool isTied =
        tensors.isTied(fields.optionalFlag("tie_word_embeddings"),
                       {"transformer.word_embeddings.weight", "lm_head.weight"}, true);
    tensors.read(model, kBloomParameters);
    if (!isTied)
        tensors.read(model, kBloomOutput);
    return model;
}

constexpr std::string_view kBloomTypes[] = {"bloom"};
constexpr std::string_view kBloomUnused[] = {
    "n_inner",
    "n_embed",
    "num_attention_heads",
    "num_hidden_layers",
    "seq_length",
    "offset_alibi",
    "skip_bias_add",
    "skip_bias_add_qkv",
    "slow_but_exact",
    "dtype",
    "bias_dropout_fusion",
    "masked_softmax_fusion",
    "n_positions",
    "attention_softmax_in_fp32",
};

} // namespace

const Family kBloom{
    .name = "BLOOM",
    .paper = "Le Scao et al. 2022, BLOOM: A 176B-Parameter Open-Access Multilingual Language Model",
    .modelTypes = kBloomTypes,
    .prefix = "transformer.",
    .unusedFields = kBloomUnused,
    .unusedTensors = {},
    .read = readBloom,
};

} // namespace headlight::core
