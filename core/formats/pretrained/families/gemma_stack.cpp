#include "core/formats/pretrained/families/gemma_stack.h"

#include <cmath>

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kGemmaNorms[] = {
    {"model.layers.{}.input_layernorm.weight", K::NormGain},
    {"model.layers.{}.post_attention_layernorm.weight", K::OutputNormGain},
    {"model.layers.{}.pre_feedforward_layernorm.weight", K::FeedForwardNormGain},
    {"model.layers.{}.post_feedforward_layernorm.weight", K::FeedForwardOutputNormGain},
};
constexpr std::string_view kUnusedOfGemma[] = {"hidden_act", "cache_implementation",
                                               "query_pre_attn_scalar", "sliding_window",
                                               "sliding_window_size"};

} // namespace

const std::span<const std::string_view> kGemmaUnused = kUnusedOfGemma;

FamilyModel gemmaStack(const FamilyFields &fields, LlamaDefaults defaults) {
    defaults.headSize = 256;
    defaults.activationField = "hidden_activation";
    defaults.activation = "gelu_pytorch_tanh";
    FamilyModel model = llamaStack(fields, defaults);
    model.config.scaleEmbeddings = true;
    fields.mustBe("use_bidirectional_attention", false);
    return model;
}

void scaleByQueryScalar(const FamilyFields &fields, Config &config) {
    const auto scalar = static_cast<double>(fields.positive("query_pre_attn_scalar", 256));
    if (scalar != static_cast<double>(config.headSize))
        config.scale = {Scale::Kind::Number, static_cast<float>(std::sqrt(scalar))};
}

Index windowIn(const FamilyFields &fields) {
    const bool isNull = fields.field("sliding_window").is(JsonValue::Kind::Null);
    const Index window = fields.size("sliding_window", kMaxConfigPositions, 4096);
    return isNull || window > kMaxPositions ? 0 : window;
}

void readGemmaParameters(const FamilyFields &fields, FamilyTensors &tensors, FamilyModel &model,
                         bool isTied) {
    tensors.addOneToGains();
    readLlamaWords(fields, tensors, model, isTied);
    for (const auto &table : {kLlamaAttention, kLlamaFeedForward,
                              std::span<const TensorRow>(kGemmaNorms), kQueryKeyNorms})
        tensors.read(model, table);
    readLlamaBiases(fields, tensors, model);
}

} // namespace headlight::core
