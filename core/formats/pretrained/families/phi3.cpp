// Phi-3 and Phi-4 (modeling_phi3.py of transformers): Llama with fused matrices. Models for long
// texts use "longrope" scaling.
#include "core/formats/pretrained/families/families.h"
#include "core/formats/pretrained/families/llama_stack.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kPhi3Fused[] = {
    {"model.layers.{}.self_attn.qkv_proj.weight", {K::Query, K::Key, K::Value}},
    {"model.layers.{}.self_attn.o_proj.weight", K::Output},
    {"model.layers.{}.mlp.gate_up_proj.weight", {K::Gate, K::Hidden}},
    {"model.layers.{}.mlp.down_proj.weight", K::FeedForwardOutput},
};

FamilyModel readPhi3(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model = llamaStack(fields, {.epsilon = 1e-5f});
    for (const char *bias : {"attention_bias", "mlp_bias", "lm_head_bias"})
        fields.mustBe(bias, false);
    // A window that is wider than the longest text has no effect.
    if (const Index window = fields.size("sliding_window", kMaxConfigPositions, 0);
        window > 0 && window <= kMaxPositions)
        model.config.windows = {window};
    if (!fields.isSound())
        return model;
    readLlamaWords(fields, tensors, model);
    tensors.read(model, kPhi3Fused);
    tensors.read(model, kLlamaNorms);
    return model;
}

constexpr std::string_view kPhi3Types[] = {"phi3"};
constexpr std::string_view kPhi3Unused[] = {"original_max_position_embeddings", "full_attn_mod",
                                            "interpolate_factor"};

} // namespace

const Family kPhi3{
    .name = "Phi-3",
    .paper = "Abdin et al. 2024, Phi-3 Technical Report: A Highly Capable Language Model Locally "
             "on Your Phone",
    .notes = "Phi-3, Phi-3.5 and Phi-4, also for long texts",
    .modelTypes = kPhi3Types,
    .prefix = "model.",
    .unusedFields = kPhi3Unused,
    .unusedTensors = kLlamaStored,
    .read = readPhi3,
};

} // namespace headlight::core
