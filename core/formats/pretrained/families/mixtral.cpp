// Mixtral (modeling_mixtral.py of transformers): Mistral with experts. The weights of the chosen
// experts are divided by their sum, which equals a softmax over only these experts.
#include "core/formats/pretrained/families/expert_stack.h"
#include "core/formats/pretrained/families/families.h"
#include "core/formats/pretrained/families/llama_stack.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kMixtralExperts[] = {
    {"model.layers.{}.block_sparse_moe.gate.weight", K::Router},
    {"model.layers.{}.block_sparse_moe.experts.{e}.w1.weight", K::Gate},
    {"model.layers.{}.block_sparse_moe.experts.{e}.w3.weight", K::Hidden},
    {"model.layers.{}.block_sparse_moe.experts.{e}.w2.weight", K::FeedForwardOutput},
};

FamilyModel readMixtral(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model =
        llamaStack(fields, {.keyValueHeads = 8, .epsilon = 1e-5f, .rotary = {.base = 1000000}});
    readExperts(fields, fields.nameOf("num_local_experts", "num_experts"), {8, 2}, model);
    model.config.feedForward.normalisesExperts = true;
    if (fields.has("sliding_window"))
        model.config.windows = {fields.size("sliding_window", kMaxPositions)};
    if (!fields.isSound())
        return model;
    readLlamaWords(fields, tensors, model);
    for (const auto &table :
         {kLlamaAttention, std::span<const TensorRow>(kMixtralExperts), kLlamaNorms})
        tensors.read(model, table);
    return model;
}

constexpr std::string_view kMixtralTypes[] = {"mixtral"};

} // namespace

const Family kMixtral{
    .name = "Mixtral",
    .paper = "Jiang et al. 2024, Mixtral of Experts",
    .notes = "Mixtral, with experts",
    .modelTypes = kMixtralTypes,
    .prefix = "model.",
    .unusedFields = {},
    .unusedTensors = kLlamaStored,
    .read = readMixtral,
};

} // namespace headlight::core
