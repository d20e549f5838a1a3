// GPT-Neo in the format of transformers (modeling_gpt_neo.py): GPT-2 with unscaled scores and a
// window in every other layer.
#include "core/formats/pretrained/families/families.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kGptNeoParameters[] = {
    {"transformer.wte.weight", K::Embeddings},
    {"transformer.wpe.weight", K::Positions},
    {"transformer.h.{}.ln_1.weight", K::NormGain},
    {"transformer.h.{}.ln_1.bias", K::NormBias},
    {"transformer.h.{}.attn.attention.q_proj.weight", K::Query},
    {"transformer.h.{}.attn.attention.k_proj.weight", K::Key},
    {"transformer.h.{}.attn.attention.v_proj.weight", K::Value},
    {"transformer.h.{}.attn.attention.out_proj.weight", K::Output},
    {"transformer.h.{}.attn.attention.out_proj.bias", K::OutputBias},
    {"transformer.h.{}.ln_2.weight", K::FeedForwardNormGain},
    {"transformer.h.{}.ln_2.bias", K::FeedForwardNormBias},
    {"transformer.h.{}.mlp.c_fc.weight", K::Hidden},
    {"transformer.h.{}.mlp.c_fc.bias", K::HiddenBias},
    {"transformer.h.{}.mlp.c_proj.weight", K::FeedForwardOutput},
    {"transformer.h.{}.mlp.c_proj.bias", K::FeedForwardOutputBias},
    {"transformer.ln_f.weight", K::FinalNormGain},
    {"transformer.ln_f.bias", K::FinalNormBias},
};
constexpr TensorRow kGptNeoOutput[] = {{"lm_head.weight", K::OutputMatrix}};

/// Returns for each layer whether its attention is local. [[["global", "local"], 6]] repeats the
/// two types six times.
std::vector<bool> localLayersIn(const Field &types) {
    std::vector<bool> local;
    for (std::size_t i = 0; types.isArray() && i < types.size(); ++i) {
        const Field kinds = types.element(i).element(0);
        const Index times = types.element(i).element(1).whole(1, kMaxLayers).value_or(0);
        std::vector<bool> once;
        for (std::size_t k = 0; kinds.isArray() && k < kinds.size(); ++k)
            once.push_back(kinds.element(k).word({"global", "local"}) == 1);
        for (Index time = 0; time < times && !once.empty() && std::ssize(local) <= kMaxLayers;
             ++time)
            local.insert(local.end(), once.begin(), once.end());
    }
    return local;
}

/// Returns the window of each layer. Newer files have a list of names, older files the form that
/// localLayersIn() reads.
std::vector<Index> windowsOf(const FamilyFields &fields, Index layers) {
    std::vector<bool> local;
    if (const Field list = fields.field("attention_layers"); fields.has("attention_layers")) {
        for (std::size_t i = 0; list.isArray() && i < list.size(); ++i)
            local.push_back(list.element(i).word({"global", "local"}) == 1);
    } else if (fields.has("attention_types")) {
        local = localLayersIn(fields.field("attention_types"));
    } else {
        for (Index layer = 0; layer < layers; ++layer)
            local.push_back(layer % 2 != 0);
    }
    if (fields.isSound() && std::ssize(local) != layers)
        fields.refuse("attention_layers",
                      {"it has entries for %1 layers, but there are %2", local.size(), layers},
                      "it must have one entry for each");
    const Index width = fields.size("window_size", kMaxPositions, 256);
    std::vector<Index> windows;
    for (const bool isLocal : local)
        windows.push_back(isLocal ? width : 0);
    return windows;
}

FamilyModel readGptNeo(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model;
    Config &config = model.config;
    config.width = fields.size("hidden_size", kMaxWidth);
    config.heads = fields.size("num_heads", kMaxHeads);
    config.headSize = fields.headSize(config.width, "num_heads", config.heads);
    config.scale.kind = Scale::Kind::Off;
    config.positions = Positions::Learned;
    config.norm = {NormKind::Layer, NormPosition::Before,
                   fields.positive("layer_norm_epsilon", 1e-5f), true, false};
    config.residual = true;
    config.feedForward = {fields.size("intermediate_size", kMaxFeedForwardWidth, 4 * config.width),
                          fields.activation("activation_function", "gelu_new"), false};
    config.outputLayer.kind = OutputLayerKind::Language;
    const Index layers = fields.size("num_layers", kMaxLayers);
    config.windows = windowsOf(fields, layers);
    model.vocabulary = fields.size("vocab_size", kMaxVocabulary);
    model.positions = fields.size("max_position_embeddings", kMaxPositions);
    model.masks = {CausalMask{}};
    if (!fields.isSound())
        return model;

    model.parameters.main.layers.resize(static_cast<std::size_t>(layers));
    const bool isTied = tensors.isTied(fields.optionalFlag("tie_word_embeddings"),
                                       {"transformer.wte.weight", "lm_head.weight"}, true);
    tensors.read(model, kGptNeoParameters);
    if (!isTied)
        tensors.read(model, kGptNeoOutput);
    return model;
}

constexpr std::string_view kGptNeoTypes[] = {"gpt_neo"};
constexpr std::string_view kGptNeoUnused[] = {
    "attention_types",        "window_size",        "summary_activation",
    "summary_first_dropout",  "summary_type",       "summary_use_proj",
    "summary_proj_to_labels", "classifier_dropout", "attention_dropout",
};
constexpr std::string_view kGptNeoStored[] = {"transformer.h.*.attn.attention.bias",
                                              "transformer.h.*.attn.attention.masked_bias"};

} // namespace

const Family kGptNeo{
    .name = "GPT-Neo",
    .paper = "Black et al. 2021, GPT-Neo: Large Scale Autoregressive Language Modeling with "
             "Mesh-Tensorflow",
    .notes = "GPT-Neo, such as TinyStories",
    .modelTypes = kGptNeoTypes,
    .prefix = "transformer.",
    .unusedFields = kGptNeoUnused,
    .unusedTensors = kGptNeoStored,
    .read = readGptNeo,
};

} // namespace headlight::core
