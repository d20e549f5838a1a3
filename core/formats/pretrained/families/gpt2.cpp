// GPT-2 in the format of transformers (modeling_gpt2.py), and checkpoints of nanoGPT and minGPT,
// which use the same names, transposed matrices, and optional biases.
#include "core/formats/pretrained/families/families.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kGpt2Embeddings[] = {
    {"transformer.wte.weight", K::Embeddings},
    {"transformer.wpe.weight", K::Positions},
};
constexpr TensorRow kGpt2Matrices[] = {
    {"transformer.h.{}.ln_1.weight", K::NormGain},
    {"transformer.h.{}.attn.c_attn.weight", {K::Query, K::Key, K::Value}},
    {"transformer.h.{}.attn.c_proj.weight", K::Output},
    {"transformer.h.{}.ln_2.weight", K::FeedForwardNormGain},
    {"transformer.h.{}.mlp.c_fc.weight", K::Hidden},
    {"transformer.h.{}.mlp.c_proj.weight", K::FeedForwardOutput},
    {"transformer.ln_f.weight", K::FinalNormGain},
};
constexpr TensorRow kGpt2Biases[] = {
    {"transformer.h.{}.ln_1.bias", K::NormBias},
    {"transformer.h.{}.attn.c_attn.bias", {K::QueryBias, K::KeyBias, K::ValueBias}},
    {"transformer.h.{}.attn.c_proj.bias", K::OutputBias},
    {"transformer.h.{}.ln_2.bias", K::FeedForwardNormBias},
    {"transformer.h.{}.mlp.c_fc.bias", K::HiddenBias},
    {"transformer.h.{}.mlp.c_proj.bias", K::FeedForwardOutputBias},
    {"transformer.ln_f.bias", K::FinalNormBias},
};
constexpr TensorRow kGpt2Output[] = {{"lm_head.weight", K::OutputMatrix}};
constexpr TensorRow kGpt2OutputBias[] = {{"lm_head.bias", K::OutputMatrixBias}};

FamilyModel readGpt2(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model;
    Config &config = model.config;
    config.width = fields.size("n_embd", kMaxWidth);
    config.heads = fields.size("n_head", kMaxHeads);
    config.headSize = fields.headSize(config.width, "n_head", config.heads);
    config.scale.kind =
        fields.flag("scale_attn_weights", true) ? Scale::Kind::SquareRoot : Scale::Kind::Off;
    fields.mustBe("scale_attn_by_inverse_layer_idx", false);
    fields.mustBe("add_cross_attention", false);
    config.positions = Positions::Learned;
    config.norm = {NormKind::Layer, NormPosition::Before,
                   fields.positive("layer_norm_epsilon", 1e-5f), true, false};
    config.residual = true;
    // Only nanoGPT has block_size. It uses the exact GELU, which no field specifies.
    const bool isNano = fields.has("block_size");
    config.feedForward = {fields.size("n_inner", kMaxFeedForwardWidth, 4 * config.width),
                          fields.activation("activation_function", isNano ? "gelu" : "gelu_new"),
                          false};
    config.outputLayer.kind = OutputLayerKind::Language;
    const Index layers = fields.size("n_layer", kMaxLayers);
    model.vocabulary = fields.size("vocab_size", kMaxVocabulary);
    model.positions = fields.size(isNano ? "block_size" : "n_positions", kMaxPositions);
    model.masks = {CausalMask{}};
    if (!fields.isSound())
        return model;

    model.parameters.main.layers.resize(static_cast<std::size_t>(layers));
    const TensorInfo *fused = tensors.tensor("transformer.h.0.attn.c_attn.weight");
    const bool isLinear = fused && fused->shape == Shape{3 * config.width, config.width};
    const MatrixLayout stands = isLinear ? MatrixLayout::OutIn : MatrixLayout::InOut;
    const bool isTied = tensors.isTied(fields.optionalFlag("tie_word_embeddings"),
                                       {"transformer.wte.weight", "lm_head.weight"}, true);
    tensors.read(model, kGpt2Embeddings);
    tensors.read(model, kGpt2Matrices, Presence::All, stands);
    tensors.read(model, kGpt2Biases, isLinear ? Presence::Optional : Presence::All);
    if (!isTied)
        tensors.read(model, kGpt2Output);
    const bool hasBias = fields.flag("lm_head_bias", false);
    tensors.read(model, kGpt2OutputBias, hasBias ? Presence::All : Presence::Optional);
    return model;
}

constexpr std::string_view kGpt2Types[] = {"gpt2"};
constexpr std::string_view kGpt2Unused[] = {"n_ctx",
                                            "bias",
                                            "reorder_and_upcast_attn",
                                            "summary_activation",
                                            "summary_first_dropout",
                                            "summary_proj_to_labels",
                                            "summary_type",
                                            "summary_use_proj",
                                            "predict_special_tokens"};
constexpr std::string_view kGpt2Stored[] = {"transformer.h.*.attn.bias",
                                            "transformer.h.*.attn.masked_bias"};

} // namespace

const Family kGpt2{
    .name = "GPT-2",
    .paper = "Radford et al. 2019, Language Models are Unsupervised Multitask Learners",
    .notes = "GPT-2; checkpoints of nanoGPT and minGPT with the same names, whose matrices are "
             "transposed and may have no biases",
    .modelTypes = kGpt2Types,
    .prefix = "transformer.",
    .unusedFields = kGpt2Unused,
    .unusedTensors = kGpt2Stored,
    .read = readGpt2,
};

} // namespace headlight::core
