// The tables of GGUF files that families related to Llama share.
#pragma once

#include "core/formats/pretrained/gguf/architecture.h"

#include <algorithm>
#include <array>

namespace headlight::core {

/// Concatenates tables.
template <typename Row, std::size_t... n>
consteval std::array<Row, (n + ...)> joined(const std::array<Row, n> &...tables) {
    std::array<Row, (n + ...)> all{};
    auto to = all.begin();
    ((to = std::ranges::copy(tables, to).out), ...);
    return all;
}

inline constexpr std::array kLlamaKeys{
    GgufField{"context_length", "max_position_embeddings"},
    GgufField{"embedding_length", "hidden_size"},
    GgufField{"block_count", "num_hidden_layers"},
    GgufField{"feed_forward_length", "intermediate_size"},
    GgufField{"attention.head_count", "num_attention_heads"},
    GgufField{"attention.head_count_kv", "num_key_value_heads"},
    GgufField{"attention.layer_norm_rms_epsilon", "rms_norm_eps", GgufField::Kind::Real},
};

/// All tensors except queries, keys, and the norm before the feed-forward network.
inline constexpr std::array kLlamaNames{
    GgufTensorName{"token_embd.weight", "model.embed_tokens.weight"},
    GgufTensorName{"blk.{}.attn_norm.weight", "model.layers.{}.input_layernorm.weight"},
    GgufTensorName{"blk.{}.attn_v.weight", "model.layers.{}.self_attn.v_proj.weight"},
    GgufTensorName{"blk.{}.attn_output.weight", "model.layers.{}.self_attn.o_proj.weight"},
    GgufTensorName{"blk.{}.ffn_gate.weight", "model.layers.{}.mlp.gate_proj.weight"},
    GgufTensorName{"blk.{}.ffn_up.weight", "model.layers.{}.mlp.up_proj.weight"},
    GgufTensorName{"blk.{}.ffn_down.weight", "model.layers.{}.mlp.down_proj.weight"},
    GgufTensorName{"output_norm.weight", "model.norm.weight"},
    GgufTensorName{"output.weight", "lm_head.weight", GgufTensorName::Presence::Optional},
};
/// Queries and keys with their rows in Hugging Face's order.
inline constexpr std::array kQueryKeyNames{
    GgufTensorName{"blk.{}.attn_q.weight", "model.layers.{}.self_attn.q_proj.weight"},
    GgufTensorName{"blk.{}.attn_k.weight", "model.layers.{}.self_attn.k_proj.weight"},
};
inline constexpr std::array kQueryKeyNormNames{
    GgufTensorName{"blk.{}.attn_q_norm.weight", "model.layers.{}.self_attn.q_norm.weight"},
    GgufTensorName{"blk.{}.attn_k_norm.weight", "model.layers.{}.self_attn.k_norm.weight"},
};
inline constexpr std::array kFeedForwardNormName{
    GgufTensorName{"blk.{}.ffn_norm.weight", "model.layers.{}.post_attention_layernorm.weight"},
};

} // namespace headlight::core
