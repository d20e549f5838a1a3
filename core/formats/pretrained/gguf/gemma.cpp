// Gemma 1, 2 and 3. Their gains are stored whole: see TensorSource::hasPlainLayout().
#include "core/formats/pretrained/gguf/architecture.h"

namespace headlight::core {

namespace {

using enum GgufTensorName::Presence;

constexpr GgufField kGemmaKeys[] = {
    {"context_length", "max_position_embeddings"},
    {"embedding_length", "hidden_size"},
    {"block_count", "num_hidden_layers"},
    {"feed_forward_length", "intermediate_size"},
    {"attention.head_count", "num_attention_heads"},
    {"attention.head_count_kv", "num_key_value_heads"},
    {"attention.layer_norm_rms_epsilon", "rms_norm_eps", GgufField::Kind::Real},
};
constexpr GgufField kGemma2Keys[] = {
    {"context_length", "max_position_embeddings"},
    {"embedding_length", "hidden_size"},
    {"block_count", "num_hidden_layers"},
    {"feed_forward_length", "intermediate_size"},
    {"attention.head_count", "num_attention_heads"},
    {"attention.head_count_kv", "num_key_value_heads"},
    {"attention.layer_norm_rms_epsilon", "rms_norm_eps", GgufField::Kind::Real},
    {"attention.sliding_window", "sliding_window"},
    {"attn_logit_softcapping", "attn_logit_softcapping", GgufField::Kind::Real},
    {"final_logit_softcapping", "final_logit_softcapping", GgufField::Kind::Real},
};
constexpr std::string_view kGemmaUnusedKeys[] = {"vocab_size"};

constexpr GgufTensorName kGemmaTensorNames[] = {
    {"token_embd.weight", "model.embed_tokens.weight"},
    {"blk.{}.attn_norm.weight", "model.layers.{}.input_layernorm.weight"},
    {"blk.{}.attn_q.weight", "model.layers.{}.self_attn.q_proj.weight"},
    {"blk.{}.attn_k.weight", "model.layers.{}.self_attn.k_proj.weight"},
    {"blk.{}.attn_v.weight", "model.layers.{}.self_attn.v_proj.weight"},
    {"blk.{}.attn_output.weight", "model.layers.{}.self_attn.o_proj.weight"},
    {"blk.{}.ffn_norm.weight", "model.layers.{}.post_attention_layernorm.weight"},
    {"blk.{}.ffn_gate.weight", "model.layers.{}.mlp.gate_proj.weight"},
    {"blk.{}.ffn_up.weight", "model.layers.{}.mlp.up_proj.weight"},
    {"blk.{}.ffn_down.weight", "model.layers.{}.mlp.down_proj.weight"},
    {"output_norm.weight", "model.norm.weight"},
    {"output.weight", "lm_head.weight", Optional},
};

constexpr GgufTensorName kGemma2TensorNames[] = {
    {"token_embd.weight", "model.embed_tokens.weight"},
    {"blk.{}.attn_norm.weight", "model.layers.{}.input_layernorm.weight"},
    {"blk.{}.attn_q.weight", "model.layers.{}.self_attn.q_proj.weight"},
    {"blk.{}.attn_k.weight", "model.layers.{}.self_attn.k_proj.weight"},
    {"blk.{}.attn_v.weight", "model.layers.{}.self_attn.v_proj.weight"},
    {"blk.{}.attn_output.weight", "model.layers.{}.self_attn.o_proj.weight"},
    {"blk.{}.post_attention_norm.weight", "model.layers.{}.post_attention_layernorm.weight"},
    {"blk.{}.ffn_norm.weight", "model.layers.{}.pre_feedforward_layernorm.weight"},
    {"blk.{}.ffn_gate.weight", "model.layers.{}.mlp.gate_proj.weight"},
    {"blk.{}.ffn_up.weight", "model.layers.{}.mlp.up_proj.weight"},
    {"blk.{}.ffn_down.weight", "model.layers.{}.mlp.down_proj.weight"},
    {"blk.{}.post_ffw_norm.weight", "model.layers.{}.post_feedforward_layernorm.weight"},
    {"output_norm.weight", "model.norm.weight"},
    {"output.weight", "lm_head.weight", Optional},
};

constexpr GgufTensorName kGemma3TensorNames[] = {
    {"token_embd.weight", "model.embed_tokens.weight"},
    {"blk.{}.attn_norm.weight", "model.layers.{}.input_layernorm.weight"},
    {"blk.{}.attn_q.weight", "model.layers.{}.self_attn.q_proj.weight"},
    {"blk.{}.attn_q_norm.weight", "model.layers.{}.self_attn.q_norm.weight"},
    {"blk.{}.attn_k.weight", "model.layers.{}.self_attn.k_proj.weight"},
    {"blk.{}.attn_k_norm.weight", "model.layers.{}.self_attn.k_norm.weight"},
    {"blk.{}.attn_v.weight", "model.layers.{}.self_attn.v_proj.weight"},
    {"blk.{}.attn_output.weight", "model.layers.{}.self_attn.o_proj.weight"},
    {"blk.{}.post_attention_norm.weight", "model.layers.{}.post_attention_layernorm.weight"},
    {"blk.{}.ffn_norm.weight", "model.layers.{}.pre_feedforward_layernorm.weight"},
    {"blk.{}.ffn_gate.weight", "model.layers.{}.mlp.gate_proj.weight"},
    {"blk.{}.ffn_up.weight", "model.layers.{}.mlp.up_proj.weight"},
    {"blk.{}.ffn_down.weight", "model.layers.{}.mlp.down_proj.weight"},
    {"blk.{}.post_ffw_norm.weight", "model.layers.{}.post_feedforward_layernorm.weight"},
    {"output_norm.weight", "model.norm.weight"},
    {"output.weight", "lm_head.weight", Optional},
};

/// The number of layers of the models of 27 billion parameters, whose scores have another scale.
constexpr double kLargestGemma2 = 46, kLargestGemma3 = 62;

/// Sets what Gemma 2 and 3 have in common.
void addNewerFields(GgufConfig &config, double largest) {
    const double headSize = addLlamaFields(config);
    const double heads = config.whole("attention.head_count").value_or(0);
    const bool isLargest = config.whole("block_count") == largest && heads > 0;
    config.place("query_pre_attn_scalar", "attention.key_length");
    config.set("query_pre_attn_scalar",
               isLargest ? config.whole("embedding_length").value_or(1) / heads : headSize);
}

void addFieldsOfGemma2(GgufConfig &config) {
    addNewerFields(config, kLargestGemma2);
}

void addFieldsOfGemma3(GgufConfig &config) {
    addNewerFields(config, kLargestGemma3);
}

void addFieldsOfGemma(GgufConfig &config) {
    addLlamaFields(config);
}

} // namespace

const GgufArchitecture kGgufGemma{
    .name = "gemma",
    .modelType = "gemma",
    .fields = kGemmaKeys,
    .tensors = kGemmaTensorNames,
    .unusedTensors = {},
    .unusedKeys = kGemmaUnusedKeys,
    .addFields = addFieldsOfGemma,
};

const GgufArchitecture kGgufGemma2{
    .name = "gemma2",
    .modelType = "gemma2",
    .fields = kGemma2Keys,
    .tensors = kGemma2TensorNames,
    .unusedTensors = {},
    .unusedKeys = kGemmaUnusedKeys,
    .addFields = addFieldsOfGemma2,
};

const GgufArchitecture kGgufGemma3{
    .name = "gemma3",
    .modelType = "gemma3_text",
    .fields = kGemma2Keys,
    .tensors = kGemma3TensorNames,
    .unusedTensors = {},
    .unusedKeys = kGemmaUnusedKeys,
    .addFields = addFieldsOfGemma3,
};

} // namespace headlight::core
