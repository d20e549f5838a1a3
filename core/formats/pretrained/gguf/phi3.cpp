// Phi-3 and Phi-4. Their matrices are fused in GGUF files, too.
#include "core/formats/pretrained/gguf/llama_tables.h"

namespace headlight::core {

namespace {

constexpr std::string_view kPhi3UnusedKeys[] = {"vocab_size"};
// These tensors are read as fields instead.
constexpr std::string_view kPhi3UnusedTensors[] = {"rope_factors_long.weight",
                                                   "rope_factors_short.weight"};

constexpr GgufTensorName kPhi3TensorNames[] = {
    {"token_embd.weight", "model.embed_tokens.weight"},
    {"blk.{}.attn_norm.weight", "model.layers.{}.input_layernorm.weight"},
    {"blk.{}.attn_qkv.weight", "model.layers.{}.self_attn.qkv_proj.weight"},
    {"blk.{}.attn_output.weight", "model.layers.{}.self_attn.o_proj.weight"},
    {"blk.{}.ffn_norm.weight", "model.layers.{}.post_attention_layernorm.weight"},
    {"blk.{}.ffn_up.weight", "model.layers.{}.mlp.gate_up_proj.weight"},
    {"blk.{}.ffn_down.weight", "model.layers.{}.mlp.down_proj.weight"},
    {"output_norm.weight", "model.norm.weight"},
    {"output.weight", "lm_head.weight", GgufTensorName::Presence::Optional},
};

void addFieldsOfPhi3(GgufConfig &config) {
    addLlamaFields(config);
    config.place("sliding_window", "attention.sliding_window");
    if (const auto window = config.whole("attention.sliding_window"); window && *window != 0)
        config.set("sliding_window", *window); // 0: none
}

} // namespace

const GgufArchitecture kGgufPhi3{
    .name = "phi3",
    .modelType = "phi3",
    .notes = "Phi-3 and Phi-4, with their factors for long texts",
    .fields = kLlamaKeys,
    .tensors = kPhi3TensorNames,
    .unusedTensors = kPhi3UnusedTensors,
    .unusedKeys = kPhi3UnusedKeys,
    .addFields = addFieldsOfPhi3,
};

} // namespace headlight::core
