// Llama and its relatives: Mistral adds a window; Qwen 2 adds biases of queries, keys and values,
// and a window in its upper layers (modeling_llama.py, modeling_mistral.py and modeling_qwen2.py of
// transformers).
#include "core/formats/pretrained/families/families.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kLlamaParameters[] = {
    {"model.embed_tokens.weight", K::Embeddings},
    {"model.layers.{}.input_layernorm.weight", K::NormGain},
    {"model.layers.{}.self_attn.q_proj.weight", K::Query},
    {"model.layers.{}.self_attn.k_proj.weight", K::Key},
    {"model.layers.{}.self_attn.v_proj.weight", K::Value},
    {"model.layers.{}.self_attn.o_proj.weight", K::Output},
    {"model.layers.{}.post_attention_layernorm.weight", K::FeedForwardNormGain},
    {"model.layers.{}.mlp.gate_proj.weight", K::Gate},
    {"model.layers.{}.mlp.up_proj.weight", K::Hidden},
    {"model.layers.{}.mlp.down_proj.weight", K::FeedForwardOutput},
    {"model.norm.weight", K::FinalNormGain},
};
constexpr TensorRow kLlamaInputBiases[] = {
    {"model.layers.{}.self_attn.q_proj.bias", K::QueryBias},
    {"model.layers.{}.self_attn.k_proj.bias", K::KeyBias},
    {"model.layers.{}.self_attn.v_proj.bias", K::ValueBias},
};
constexpr TensorRow kLlamaOutputBias[] = {{"model.layers.{}.self_attn.o_proj.bias", K::OutputBias}};
constexpr TensorRow kLlamaFeedForwardBiases[] = {
    {"model.layers.{}.mlp.gate_proj.bias", K::GateBias},
    {"model.layers.{}.mlp.up_proj.bias", K::HiddenBias},
    {"model.layers.{}.mlp.down_proj.bias", K::FeedForwardOutputBias},
};
constexpr TensorRow kLlamaOutput[] = {{"lm_head.weight", K::OutputMatrix}};

/// Reads everything except biases and windows, which differ.
FamilyModel llamaOf(const FamilyFields &fields) {
    FamilyModel model;
    Config &config = model.config;
    config.width = fields.size("hidden_size", kMaxWidth);
    config.heads = fields.size("num_attention_heads", kMaxHeads);
    config.headSize = fields.size("head_dim", kMaxWidth, config.width / config.heads);
    config.keyValueHeads = fields.size("num_key_value_heads", kMaxHeads, config.heads);
    config.positions = Positions::Rotary;
    config.norm = {NormKind::RootMeanSquare, NormPosition::Before,
                   fields.positive("rms_norm_eps", 1e-6f), true, false};
    config.residual = true;
    config.feedForward = {fields.size("intermediate_size", kMaxFeedForwardWidth),
                          fields.activation("hidden_act", "silu"), true};
    config.outputLayer.kind = OutputLayerKind::Language;
    const Index positions = fields.size("max_position_embeddings", kMaxConfigPositions);
    config.rotary = readRotary(fields, config.headSize, positions);
    model.vocabulary = fields.size("vocab_size", kMaxVocabulary);
    model.parameters.main.layers.resize(
        static_cast<std::size_t>(fields.size("num_hidden_layers", kMaxLayers)));
    model.masks = {CausalMask{}};
    return model;
}

void readParameters(const FamilyFields &fields, FamilyTensors &tensors, FamilyModel &model) {
    const bool isTied = tensors.isTied(fields.optionalFlag("tie_word_embeddings"),
                                       {"model.embed_tokens.weight", "lm_head.weight"}, false);
    tensors.read(model, kLlamaParameters);
    if (!isTied)
        tensors.read(model, kLlamaOutput);
}

FamilyModel readLlama(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model = llamaOf(fields);
    const bool attentionBias = fields.flag("attention_bias", false);
    const bool feedForwardBias = fields.flag("mlp_bias", false);
    if (!fields.isSound())
        return model;
    readParameters(fields, tensors, model);
    if (attentionBias) {
        tensors.read(model, kLlamaInputBiases);
        tensors.read(model, kLlamaOutputBias);
    }
    if (feedForwardBias)
        tensors.read(model, kLlamaFeedForwardBiases);
    return model;
}

FamilyModel readMistral(FamilyFields &fields, FamilyTensors &tensors) {
    constexpr Index kUsualWindow = 4096; // default if the field is missing; null means no window
    FamilyModel model = llamaOf(fields);
    const bool isNull = fields.field("sliding_window").is(JsonValue::Kind::Null);
    if (const Index window = fields.size("sliding_window", kMaxPositions, kUsualWindow); !isNull)
        model.config.windows = {window};
    if (fields.isSound())
        readParameters(fields, tensors, model);
    return model;
}

FamilyModel readQwen2(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model = llamaOf(fields);
    fields.mustBe("use_mrope", false);
    const auto layers = std::ssize(model.parameters.main.layers);
    const Index window = fields.flag("use_sliding_window", false)
                             ? fields.size("sliding_window", kMaxPositions, 4096)
                             : 0;
    const Index firstWithWindow = fields.id("max_window_layers").value_or(28);
    model.config.windows = fields.windows("layer_types", layers, window,
                                          [&](Index layer) { return layer >= firstWithWindow; });
    if (!fields.isSound())
        return model;
    readParameters(fields, tensors, model);
    tensors.read(model, kLlamaInputBiases);
    return model;
}

constexpr std::string_view kLlamaTypes[] = {"llama"};
constexpr std::string_view kMistralTypes[] = {"mistral"};
constexpr std::string_view kQwen2Types[] = {"qwen2"};
constexpr std::string_view kQwen2Unused[] = {"sliding_window", "max_window_layers"};
constexpr std::string_view kLlamaStored[] = {"model.layers.*.rotary_emb.inv_freq",
                                             "model.rotary_emb.inv_freq"};

} // namespace

const Family kLlama{
    .name = "Llama",
    .paper = "Touvron et al. 2023, LLaMA: Open and Efficient Foundation Language Models",
    .modelTypes = kLlamaTypes,
    .prefix = "model.",
    .unusedFields = {},
    .unusedTensors = kLlamaStored,
    .read = readLlama,
};

const Family kMistral{
    .name = "Mistral",
    .paper = "Jiang et al. 2023, Mistral 7B",
    .modelTypes = kMistralTypes,
    .prefix = "model.",
    .unusedFields = {},
    .unusedTensors = kLlamaStored,
    .read = readMistral,
};

const Family kQwen2{
    .name = "Qwen 2",
    .paper = "Yang et al. 2024, Qwen2 Technical Report",
    .modelTypes = kQwen2Types,
    .prefix = "model.",
    .unusedFields = kQwen2Unused,
    .unusedTensors = kLlamaStored,
    .read = readQwen2,
};

} // namespace headlight::core
