// GPT-2. The converter has transposed its matrices to [out, in], which the family detects.
#include "core/formats/pretrained/gguf/architecture.h"

namespace headlight::core {

namespace {

constexpr GgufField kGpt2Keys[] = {
    {"embedding_length", "n_embd"},
    {"block_count", "n_layer"},
    {"feed_forward_length", "n_inner"},
    {"attention.head_count", "n_head"},
    {"attention.layer_norm_epsilon", "layer_norm_epsilon", GgufField::Kind::Real},
};
constexpr std::string_view kGpt2UnusedKeys[] = {"vocab_size", "context_length"};

constexpr GgufTensorName kGpt2TensorNames[] = {
    {"token_embd.weight", "transformer.wte.weight"},
    {"position_embd.weight", "transformer.wpe.weight"},
    {"blk.{}.attn_norm.weight", "transformer.h.{}.ln_1.weight"},
    {"blk.{}.attn_norm.bias", "transformer.h.{}.ln_1.bias"},
    {"blk.{}.attn_qkv.weight", "transformer.h.{}.attn.c_attn.weight"},
    {"blk.{}.attn_qkv.bias", "transformer.h.{}.attn.c_attn.bias"},
    {"blk.{}.attn_output.weight", "transformer.h.{}.attn.c_proj.weight"},
    {"blk.{}.attn_output.bias", "transformer.h.{}.attn.c_proj.bias"},
    {"blk.{}.ffn_norm.weight", "transformer.h.{}.ln_2.weight"},
    {"blk.{}.ffn_norm.bias", "transformer.h.{}.ln_2.bias"},
    {"blk.{}.ffn_up.weight", "transformer.h.{}.mlp.c_fc.weight"},
    {"blk.{}.ffn_up.bias", "transformer.h.{}.mlp.c_fc.bias"},
    {"blk.{}.ffn_down.weight", "transformer.h.{}.mlp.c_proj.weight"},
    {"blk.{}.ffn_down.bias", "transformer.h.{}.mlp.c_proj.bias"},
    {"output_norm.weight", "transformer.ln_f.weight"},
    {"output_norm.bias", "transformer.ln_f.bias"},
    {"output.weight", "lm_head.weight", GgufTensorName::Presence::Optional},
};

void addFieldsOfGpt2(GgufConfig &config) {
    addVocabularySize(config, "vocab_size");
    addPositionCount(config, "n_positions");
    config.set("tie_word_embeddings", config.file().find("output.weight") == nullptr);
}

} // namespace

const GgufArchitecture kGgufGpt2{
    .name = "gpt2",
    .modelType = "gpt2",
    .notes = "GPT-2",
    .fields = kGpt2Keys,
    .tensors = kGpt2TensorNames,
    .unusedTensors = {},
    .unusedKeys = kGpt2UnusedKeys,
    .addFields = addFieldsOfGpt2,
};

} // namespace headlight::core
