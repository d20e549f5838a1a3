// Phi-1, 1.5 and 2 (modeling_phi.py of transformers): parallel blocks that share one norm, rotary
// positions in a part of each head, biases everywhere.
#include "core/formats/pretrained/families/families.h"
#include "core/formats/pretrained/families/gpt_stack.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kPhiParameters[] = {
    {"model.layers.{}.input_layernorm.weight", K::NormGain},
    {"model.layers.{}.input_layernorm.bias", K::NormBias},
    {"model.layers.{}.self_attn.q_proj.weight", K::Query},
    {"model.layers.{}.self_attn.q_proj.bias", K::QueryBias},
    {"model.layers.{}.self_attn.k_proj.weight", K::Key},
    {"model.layers.{}.self_attn.k_proj.bias", K::KeyBias},
    {"model.layers.{}.self_attn.v_proj.weight", K::Value},
    {"model.layers.{}.self_attn.v_proj.bias", K::ValueBias},
    {"model.layers.{}.self_attn.dense.weight", K::Output},
    {"model.layers.{}.self_attn.dense.bias", K::OutputBias},
    // The next four exist only with qk_layernorm.
    {"model.layers.{}.self_attn.q_layernorm.weight", K::QueryNormGain},
    {"model.layers.{}.self_attn.q_layernorm.bias", K::QueryNormBias},
    {"model.layers.{}.self_attn.k_layernorm.weight", K::KeyNormGain},
    {"model.layers.{}.self_attn.k_layernorm.bias", K::KeyNormBias},
    {"model.layers.{}.mlp.fc1.weight", K::Hidden},
    {"model.layers.{}.mlp.fc1.bias", K::HiddenBias},
    {"model.layers.{}.mlp.fc2.weight", K::FeedForwardOutput},
    {"model.layers.{}.mlp.fc2.bias", K::FeedForwardOutputBias},
    {"model.final_layernorm.weight", K::FinalNormGain},
    {"model.final_layernorm.bias", K::FinalNormBias},
};
constexpr TensorRow kPhiOutputBias[] = {{"lm_head.bias", K::OutputMatrixBias}};

FamilyModel readPhi(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model = gptStack(fields);
    Config &config = model.config;
    config.keyValueHeads = fields.size("num_key_value_heads", kMaxHeads, config.heads);
    config.positions = Positions::Rotary;
    const Index positions = fields.size("max_position_embeddings", kMaxConfigPositions);
    config.rotary = readRotary(fields, config.headSize, positions, {.share = 0.5});
    config.norm = {NormKind::Layer, NormPosition::Before, fields.positive("layer_norm_eps", 1e-5f),
                   true, false};
    if (fields.flag("qk_layernorm", false))
        config.queryKeyNorm = QueryKeyNorm::PerHead;
    config.parallel = config.sharedNorm = true;
    config.feedForward = {fields.size("intermediate_size", kMaxFeedForwardWidth, 4 * config.width),
                          fields.activation("hidden_act", "gelu_new"), false};
    if (!fields.isSound())
        return model;

    const bool isTied = readGptWords(fields, tensors, model,
                                     {"model.embed_tokens.weight", "lm_head.weight"}, false);
    tensors.read(model, kPhiParameters);
    // The base model is saved without an output layer.
    tensors.read(model, kPhiOutputBias, isTied ? Presence::Optional : Presence::All);
    return model;
}

constexpr std::string_view kPhiTypes[] = {"phi"};
constexpr std::string_view kPhiStored[] = {"model.layers.*.self_attn.rotary_emb.inv_freq",
                                           "model.rotary_emb.inv_freq"};

} // namespace

const Family kPhi{
    .name = "Phi",
    .paper = "Li et al. 2023, Textbooks Are All You Need II: phi-1.5 technical report",
    .notes = "Phi-1, Phi-1.5 and Phi-2",
    .modelTypes = kPhiTypes,
    .prefix = "model.",
    .unusedFields = {},
    .unusedTensors = kPhiStored,
    .read = readPhi,
};

} // namespace headlight::core
