// OPT (modeling_opt.py of transformers): GPT-2 with ReLU and a position table that starts at row 2.
// The second-smallest model has post-norm, but it also projects its embeddings to another width and
// is therefore rejected.
#include "core/formats/pretrained/families/families.h"
#include "core/formats/pretrained/families/gpt_stack.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr Index kPositionOffset = 2;

constexpr TensorRow kOptMatrices[] = {
    {"model.decoder.embed_positions.weight", K::Positions},
    {"model.decoder.layers.{}.self_attn.q_proj.weight", K::Query},
    {"model.decoder.layers.{}.self_attn.k_proj.weight", K::Key},
    {"model.decoder.layers.{}.self_attn.v_proj.weight", K::Value},
    {"model.decoder.layers.{}.self_attn.out_proj.weight", K::Output},
    {"model.decoder.layers.{}.fc1.weight", K::Hidden},
    {"model.decoder.layers.{}.fc2.weight", K::FeedForwardOutput},
};
constexpr TensorRow kOptBiases[] = {
    {"model.decoder.layers.{}.self_attn.q_proj.bias", K::QueryBias},
    {"model.decoder.layers.{}.self_attn.k_proj.bias", K::KeyBias},
    {"model.decoder.layers.{}.self_attn.v_proj.bias", K::ValueBias},
    {"model.decoder.layers.{}.self_attn.out_proj.bias", K::OutputBias},
    {"model.decoder.layers.{}.fc1.bias", K::HiddenBias},
    {"model.decoder.layers.{}.fc2.bias", K::FeedForwardOutputBias},
};
constexpr TensorRow kOptNorms[] = {
    {"model.decoder.layers.{}.self_attn_layer_norm.weight", K::NormGain},
    {"model.decoder.layers.{}.self_attn_layer_norm.bias", K::NormBias},
    {"model.decoder.layers.{}.final_layer_norm.weight", K::FeedForwardNormGain},
    {"model.decoder.layers.{}.final_layer_norm.bias", K::FeedForwardNormBias},
    {"model.decoder.final_layer_norm.weight", K::FinalNormGain},
    {"model.decoder.final_layer_norm.bias", K::FinalNormBias},
};

FamilyModel readOpt(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model = gptStack(fields);
    Config &config = model.config;
    if (const Index width = fields.size("word_embed_proj_dim", kMaxWidth, config.width);
        width != config.width)
        fields.refuse("word_embed_proj_dim",
                      {"the embeddings have %1 dimensions, and the layers %2", width, config.width},
                      "Headlight needs the same number for this family");
    config.positions = Positions::Learned;
    config.positionOffset = kPositionOffset;
    const bool isBefore = fields.flag("do_layer_norm_before", true);
    const bool lacksFinal = fields.flag("_remove_final_layer_norm", false);
    config.norm = {NormKind::Layer, isBefore ? NormPosition::Before : NormPosition::After, 1e-5f,
                   isBefore && !lacksFinal, false};
    config.feedForward = {fields.size("ffn_dim", kMaxFeedForwardWidth),
                          fields.activation("activation_function", "relu"), false};
    const bool hasBiases = fields.flag("enable_bias", true);
    const bool hasNorms = fields.flag("layer_norm_elementwise_affine", true);
    model.positions =
        fields.size("max_position_embeddings", kMaxPositions - kPositionOffset) + kPositionOffset;
    if (!fields.isSound())
        return model;

    readGptWords(fields, tensors, model, {"model.decoder.embed_tokens.weight", "lm_head.weight"},
                 true);
    tensors.read(model, kOptMatrices);
    if (hasBiases)
        tensors.read(model, kOptBiases);
    if (hasNorms)
        tensors.read(model, kOptNorms);
    return model;
}

constexpr std::string_view kOptTypes[] = {"opt"};
constexpr std::string_view kOptUnused[] = {"init_std"};

} // namespace

const Family kOpt{
    .name = "OPT",
    .paper = "Zhang et al. 2022, OPT: Open Pre-trained Transformer Language Models",
    .notes = "OPT, except those whose embeddings have another width than the layers (opt-350m)",
    .modelTypes = kOptTypes,
    .prefix = "model.",
    .unusedFields = kOptUnused,
    .unusedTensors = {},
    .read = readOpt,
};

} // namespace headlight::core
