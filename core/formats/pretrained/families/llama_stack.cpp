#include "core/formats/pretrained/families/llama_stack.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kStackWords[] = {
    {"model.embed_tokens.weight", K::Embeddings},
    {"model.norm.weight", K::FinalNormGain},
};
constexpr TensorRow kStackOutput[] = {{"lm_head.weight", K::OutputMatrix}};
constexpr TensorRow kStackAttention[] = {
    {"model.layers.{}.self_attn.q_proj.weight", K::Query},
    {"model.layers.{}.self_attn.k_proj.weight", K::Key},
    {"model.layers.{}.self_attn.v_proj.weight", K::Value},
    {"model.layers.{}.self_attn.o_proj.weight", K::Output},
};
constexpr TensorRow kStackFeedForward[] = {
    {"model.layers.{}.mlp.gate_proj.weight", K::Gate},
    {"model.layers.{}.mlp.up_proj.weight", K::Hidden},
    {"model.layers.{}.mlp.down_proj.weight", K::FeedForwardOutput},
};
constexpr TensorRow kStackNorms[] = {
    {"model.layers.{}.input_layernorm.weight", K::NormGain},
    {"model.layers.{}.post_attention_layernorm.weight", K::FeedForwardNormGain},
};
constexpr TensorRow kStackInputBiases[] = {
    {"model.layers.{}.self_attn.q_proj.bias", K::QueryBias},
    {"model.layers.{}.self_attn.k_proj.bias", K::KeyBias},
    {"model.layers.{}.self_attn.v_proj.bias", K::ValueBias},
};
constexpr TensorRow kStackOutputBias[] = {{"model.layers.{}.self_attn.o_proj.bias", K::OutputBias}};
constexpr TensorRow kStackFeedForwardBiases[] = {
    {"model.layers.{}.mlp.gate_proj.bias", K::GateBias},
    {"model.layers.{}.mlp.up_proj.bias", K::HiddenBias},
    {"model.layers.{}.mlp.down_proj.bias", K::FeedForwardOutputBias},
};
constexpr TensorRow kStackQueryKeyNorms[] = {
    {"model.layers.{}.self_attn.q_norm.weight", K::QueryNormGain},
    {"model.layers.{}.self_attn.k_norm.weight", K::KeyNormGain},
};
constexpr std::string_view kStackStored[] = {"model.layers.*.rotary_emb.inv_freq",
                                             "model.rotary_emb.inv_freq"};

} // namespace

const std::span<const TensorRow> kLlamaAttention = kStackAttention;
const std::span<const TensorRow> kLlamaFeedForward = kStackFeedForward;
const std::span<const TensorRow> kLlamaNorms = kStackNorms;
const std::span<const TensorRow> kLlamaInputBiases = kStackInputBiases;
const std::span<const TensorRow> kLlamaOutputBias = kStackOutputBias;
const std::span<const TensorRow> kQueryKeyNorms = kStackQueryKeyNorms;
const std::span<const std::string_view> kLlamaStored = kStackStored;

FamilyModel llamaStack(const FamilyFields &fields, const LlamaDefaults &defaults) {
    FamilyModel model;
    Config &config = model.config;
    config.width = fields.size("hidden_size", kMaxWidth);
    const auto size = [&](const char *name, Index maximum, Index otherwise) {
        return otherwise > 0 ? fields.size(name, maximum, otherwise) : fields.size(name, maximum);
    };
    config.heads = size("num_attention_heads", kMaxHeads, defaults.heads);
    const Index evenly = config.width / config.heads;
    config.headSize =
        fields.size("head_dim", kMaxWidth, defaults.headSize > 0 ? defaults.headSize : evenly);
    config.keyValueHeads =
        fields.size("num_key_value_heads", kMaxHeads,
                    defaults.keyValueHeads > 0 ? defaults.keyValueHeads : config.heads);
    config.positions = Positions::Rotary;
    config.norm = {NormKind::RootMeanSquare, NormPosition::Before,
                   fields.positive("rms_norm_eps", defaults.epsilon), true, false};
    config.residual = true;
    config.feedForward = {fields.size("intermediate_size", kMaxFeedForwardWidth),
                          fields.activation(defaults.activationField, defaults.activation), true};
    config.outputLayer.kind = OutputLayerKind::Language;
    const Index positions =
        size("max_position_embeddings", kMaxConfigPositions, defaults.positions);
    config.rotary = readRotary(fields, config.headSize, positions, defaults.rotary);
    model.vocabulary = size("vocab_size", kMaxVocabulary, defaults.vocabulary);
    model.parameters.main.layers.resize(
        static_cast<std::size_t>(fields.size("num_hidden_layers", kMaxLayers)));
    model.masks = {CausalMask{}};
    return model;
}

void readUpperWindows(const FamilyFields &fields, FamilyModel &model) {
    const auto layers = std::ssize(model.parameters.main.layers);
    const Index window = fields.flag("use_sliding_window", false)
                             ? fields.size("sliding_window", kMaxPositions, 4096)
                             : 0;
    const Index firstWithWindow = fields.id("max_window_layers").value_or(28);
    model.config.windows = fields.windows("layer_types", layers, window,
                                          [&](Index layer) { return layer >= firstWithWindow; });
}

std::vector<Index> rotaryLayersIn(const FamilyFields &fields, Index layers, bool mayBeEmpty) {
    const Index interval = fields.size("no_rope_layer_interval", kMaxLayers, 4);
    const Field list = fields.field("no_rope_layers");
    const bool isList =
        fields.has("no_rope_layers") && list.isArray() && !(mayBeEmpty && list.size() == 0);
    if (isList && static_cast<Index>(list.size()) < layers)
        fields.refuse("no_rope_layers",
                      {"it has entries for %1 layers, but there are %2", list.size(), layers},
                      "it must have one entry for each");
    std::vector<Index> rotates;
    for (Index layer = 0; layer < layers; ++layer)
        if (!isList)
            rotates.push_back((layer + 1) % interval != 0 ? 1 : 0);
        else if (layer < static_cast<Index>(list.size()))
            rotates.push_back(
                list.element(static_cast<std::size_t>(layer)).whole(0, 1).value_or(1));
    return rotates;
}

void readLlamaWords(const FamilyFields &fields, FamilyTensors &tensors, FamilyModel &model,
                    bool isTied) {
    isTied = tensors.isTied(fields.optionalFlag("tie_word_embeddings"),
                            {"model.embed_tokens.weight", "lm_head.weight"}, isTied);
    tensors.read(model, kStackWords);
    if (!isTied)
        tensors.read(model, kStackOutput);
}

void alsoWithinImages(FamilyTensors &tensors) {
    tensors.alsoUnder("model.", "language_model.model.");
    tensors.alsoUnder("model.", "model.language_model.");
    tensors.alsoUnder("lm_head.", "language_model.lm_head.");
}

void readLlamaBiases(const FamilyFields &fields, FamilyTensors &tensors, FamilyModel &model) {
    if (fields.flag("attention_bias", false)) {
        tensors.read(model, kStackInputBiases);
        tensors.read(model, kStackOutputBias);
    }
    if (fields.flag("mlp_bias", false))
        tensors.read(model, kStackFeedForwardBiases);
}

} // namespace headlight::core
