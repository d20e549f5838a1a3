// GPT-NeoX, such as Pythia. The converter has moved all queries before all keys and values: see
// TensorSource::hasPlainLayout().
#include "core/formats/pretrained/gguf/architecture.h"

namespace headlight::core {

namespace {

using enum GgufTensorName::Presence;

constexpr GgufField kNeoxKeys[] = {
    {"context_length", "max_position_embeddings"},
    {"embedding_length", "hidden_size"},
    {"block_count", "num_hidden_layers"},
    {"feed_forward_length", "intermediate_size"},
    {"attention.head_count", "num_attention_heads"},
    {"attention.layer_norm_epsilon", "layer_norm_eps", GgufField::Kind::Real},
};
constexpr std::string_view kNeoxUnusedKeys[] = {"vocab_size"};

constexpr GgufTensorName kNeoxTensorNames[] = {
    {"token_embd.weight", "gpt_neox.embed_in.weight"},
    {"blk.{}.attn_norm.weight", "gpt_neox.layers.{}.input_layernorm.weight"},
    {"blk.{}.attn_norm.bias", "gpt_neox.layers.{}.input_layernorm.bias"},
    {"blk.{}.attn_qkv.weight", "gpt_neox.layers.{}.attention.query_key_value.weight"},
    {"blk.{}.attn_qkv.bias", "gpt_neox.layers.{}.attention.query_key_value.bias", Optional},
    {"blk.{}.attn_output.weight", "gpt_neox.layers.{}.attention.dense.weight"},
    {"blk.{}.attn_output.bias", "gpt_neox.layers.{}.attention.dense.bias", Optional},
    {"blk.{}.ffn_norm.weight", "gpt_neox.layers.{}.post_attention_layernorm.weight"},
    {"blk.{}.ffn_norm.bias", "gpt_neox.layers.{}.post_attention_layernorm.bias"},
    {"blk.{}.ffn_up.weight", "gpt_neox.layers.{}.mlp.dense_h_to_4h.weight"},
    {"blk.{}.ffn_up.bias", "gpt_neox.layers.{}.mlp.dense_h_to_4h.bias"},
    {"blk.{}.ffn_down.weight", "gpt_neox.layers.{}.mlp.dense_4h_to_h.weight"},
    {"blk.{}.ffn_down.bias", "gpt_neox.layers.{}.mlp.dense_4h_to_h.bias"},
    {"output_norm.weight", "gpt_neox.final_layer_norm.weight"},
    {"output_norm.bias", "gpt_neox.final_layer_norm.bias"},
    {"output.weight", "embed_out.weight", Optional},
};

constexpr double kNeoxShare = 0.25; // default of the family

void addFieldsOfNeox(GgufConfig &config) {
    const double width = config.whole("embedding_length").value_or(0);
    const double heads = config.whole("attention.head_count").value_or(0);
    addRotaryFields(config, heads > 0 ? width / heads : 0, kNeoxShare);
    addVocabularySize(config, "vocab_size");
    config.set("tie_word_embeddings", config.file().find("output.weight") == nullptr);
    config.set("attention_bias", config.file().find("blk.0.attn_qkv.bias") != nullptr);
    if (const auto isParallel = config.flag("use_parallel_residual"))
        config.set("use_parallel_residual", *isParallel);
    else
        config.note("the file does not specify whether its blocks are parallel; they are computed "
                    "in parallel, as usual in GPT-NeoX");
}

} // namespace

const GgufArchitecture kGgufGptNeox{
    .name = "gptneox",
    .modelType = "gpt_neox",
    .notes = "GPT-NeoX and Pythia",
    .fields = kNeoxKeys,
    .tensors = kNeoxTensorNames,
    .unusedTensors = {},
    .unusedKeys = kNeoxUnusedKeys,
    .addFields = addFieldsOfNeox,
};

} // namespace headlight::core
