// Llama, whose architecture name Mistral and many others share, and Qwen 2 and 3.
#include "core/formats/pretrained/gguf/llama_tables.h"

#include <cmath>

namespace headlight::core {

namespace {

using enum GgufTensorName::Presence;
using enum GgufRows;

constexpr std::string_view kLlamaUnusedKeys[] = {"vocab_size", "expert_used_count"};

constexpr auto kLlamaTensorNames = joined(
    kLlamaNames, kFeedForwardNormName,
    std::array{
        GgufTensorName{"blk.{}.attn_q.weight", "model.layers.{}.self_attn.q_proj.weight", Required,
                       QueryPairs},
        GgufTensorName{"blk.{}.attn_k.weight", "model.layers.{}.self_attn.k_proj.weight", Required,
                       KeyPairs},
        GgufTensorName{"blk.{}.attn_q.bias", "model.layers.{}.self_attn.q_proj.bias", Optional,
                       QueryPairs},
        GgufTensorName{"blk.{}.attn_k.bias", "model.layers.{}.self_attn.k_proj.bias", Optional,
                       KeyPairs},
        GgufTensorName{"blk.{}.attn_v.bias", "model.layers.{}.self_attn.v_proj.bias", Optional},
        GgufTensorName{"blk.{}.attn_output.bias", "model.layers.{}.self_attn.o_proj.bias",
                       Optional},
        GgufTensorName{"blk.{}.ffn_gate.bias", "model.layers.{}.mlp.gate_proj.bias", Optional},
        GgufTensorName{"blk.{}.ffn_up.bias", "model.layers.{}.mlp.up_proj.bias", Optional},
        GgufTensorName{"blk.{}.ffn_down.bias", "model.layers.{}.mlp.down_proj.bias", Optional},
    });

constexpr auto kQwen2TensorNames =
    joined(kLlamaNames, kQueryKeyNames, kFeedForwardNormName,
           std::array{
               GgufTensorName{"blk.{}.attn_q.bias", "model.layers.{}.self_attn.q_proj.bias"},
               GgufTensorName{"blk.{}.attn_k.bias", "model.layers.{}.self_attn.k_proj.bias"},
               GgufTensorName{"blk.{}.attn_v.bias", "model.layers.{}.self_attn.v_proj.bias"},
           });
constexpr auto kQwen3TensorNames =
    joined(kLlamaNames, kQueryKeyNames, kFeedForwardNormName, kQueryKeyNormNames);
constexpr std::string_view kLlamaUnusedTensors[] = {"rope_freqs.weight"}; // read as a field instead

void addFieldsOfLlama(GgufConfig &config) {
    addLlamaFields(config);
    config.place("sliding_window", "attention.sliding_window");
    if (const auto window = config.whole("attention.sliding_window"); window && *window > 0) {
        config.setType("mistral"); // only Mistral has windows, and it has no biases
        config.set("sliding_window", *window);
        return;
    }
    config.set("attention_bias", config.file().find("blk.0.attn_q.bias") != nullptr);
    config.set("mlp_bias", config.file().find("blk.0.ffn_gate.bias") != nullptr);
}

void addFieldsOfQwen(GgufConfig &config) {
    addLlamaFields(config);
}

} // namespace

double addLlamaFields(GgufConfig &config) {
    const auto width = config.whole("embedding_length");
    const auto heads = config.whole("attention.head_count");
    const auto keys = config.whole("attention.key_length");
    const auto values = config.whole("attention.value_length");
    const double headSize =
        keys.value_or(heads.value_or(0) > 0 ? std::floor(width.value_or(0) / *heads) : 0.0);
    config.place("head_dim", "attention.key_length");
    if (keys || headSize > 0)
        config.set("head_dim", headSize);
    if (values && *values != headSize)
        config.fail("attention.value_length", "values and keys have different sizes",
                    "Headlight needs the same size for both");
    if (config.whole("expert_count").value_or(0) > 0)
        config.fail("expert_count", "the model is a mixture of experts",
                    "Headlight computes models with one feed-forward network in each layer");
    addRotaryFields(config, headSize);
    addVocabularySize(config, "vocab_size");
    config.set("tie_word_embeddings", config.file().find("output.weight") == nullptr);
    return headSize;
}

const GgufArchitecture kGgufLlama{
    .name = "llama",
    .modelType = "llama",
    .notes = "Llama, and the many models that share its architecture; Mistral if "
             "`attention.sliding_window` is set. The rows of its queries and keys, which the "
             "converter reorders, are put back, so that the numbers are those of the original "
             "folder",
    .fields = kLlamaKeys,
    .tensors = kLlamaTensorNames,
    .unusedTensors = kLlamaUnusedTensors,
    .unusedKeys = kLlamaUnusedKeys,
    .addFields = addFieldsOfLlama,
};

const GgufArchitecture kGgufQwen2{
    .name = "qwen2",
    .modelType = "qwen2",
    .notes = "Qwen 2 and 2.5, without windows, which GGUF does not store",
    .fields = kLlamaKeys,
    .tensors = kQwen2TensorNames,
    .unusedTensors = {},
    .unusedKeys = kLlamaUnusedKeys,
    .addFields = addFieldsOfQwen,
};

const GgufArchitecture kGgufQwen3{
    .name = "qwen3",
    .modelType = "qwen3",
    .notes = "Qwen 3, without windows, which GGUF does not store",
    .fields = kLlamaKeys,
    .tensors = kQwen3TensorNames,
    .unusedTensors = {},
    .unusedKeys = kLlamaUnusedKeys,
    .addFields = addFieldsOfQwen,
};

} // namespace headlight::core
