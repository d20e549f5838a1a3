// Gemma 1, 2 and 3. Their files store the gains as they are used: see
// TensorSource::hasPlainLayout().
#include "core/formats/pretrained/gguf/llama_tables.h"

namespace headlight::core {

namespace {

constexpr auto kGemma2Keys = joined(
    kLlamaKeys,
    std::array{
        GgufField{"attention.sliding_window", "sliding_window"},
        GgufField{"attn_logit_softcapping", "attn_logit_softcapping", GgufField::Kind::Real},
        GgufField{"final_logit_softcapping", "final_logit_softcapping", GgufField::Kind::Real},
    });
constexpr std::string_view kGemmaUnusedKeys[] = {"vocab_size"};

constexpr auto kGemmaTensorNames = joined(kLlamaNames, kQueryKeyNames, kFeedForwardNormName);
constexpr auto kGemma2TensorNames =
    joined(kLlamaNames, kQueryKeyNames,
           std::array{
               GgufTensorName{"blk.{}.post_attention_norm.weight",
                              "model.layers.{}.post_attention_layernorm.weight"},
               GgufTensorName{"blk.{}.ffn_norm.weight",
                              "model.layers.{}.pre_feedforward_layernorm.weight"},
               GgufTensorName{"blk.{}.post_ffw_norm.weight",
                              "model.layers.{}.post_feedforward_layernorm.weight"},
           });
constexpr auto kGemma3TensorNames = joined(kGemma2TensorNames, kQueryKeyNormNames);

/// Number of layers of the 27B models, whose scores are scaled differently.
constexpr double kLargestGemma2 = 46, kLargestGemma3 = 62;

/// Sets the fields that Gemma 2 and 3 share.
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
    .notes = "Gemma 1",
    .fields = kLlamaKeys,
    .tensors = kGemmaTensorNames,
    .unusedTensors = {},
    .unusedKeys = kGemmaUnusedKeys,
    .addFields = addFieldsOfGemma,
};

const GgufArchitecture kGgufGemma2{
    .name = "gemma2",
    .modelType = "gemma2",
    .notes = "Gemma 2, with windows in every other layer, as in the published models",
    .fields = kGemma2Keys,
    .tensors = kGemma2TensorNames,
    .unusedTensors = {},
    .unusedKeys = kGemmaUnusedKeys,
    .addFields = addFieldsOfGemma2,
};

const GgufArchitecture kGgufGemma3{
    .name = "gemma3",
    .modelType = "gemma3_text",
    .notes = "the text model of Gemma 3, with windows in five of six layers, as in the published "
             "models",
    .fields = kGemma2Keys,
    .tensors = kGemma3TensorNames,
    .unusedTensors = {},
    .unusedKeys = kGemmaUnusedKeys,
    .addFields = addFieldsOfGemma3,
};

} // namespace headlight::core
