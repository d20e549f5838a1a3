// Qwen 3's mixtures of experts (modeling_qwen3_moe.py of transformers): Qwen 3 with experts in
// every layer. If there is a window, all layers have it.
#include "core/formats/pretrained/families/expert_stack.h"
#include "core/formats/pretrained/families/families.h"
#include "core/formats/pretrained/families/llama_stack.h"

namespace headlight::core {

namespace {

/// Rejects models in which some layers have no experts, because their network has another width.
void refuseLayersWithoutExperts(const FamilyFields &fields) {
    if (fields.size("decoder_sparse_step", kMaxLayers, 1) != 1)
        fields.refuse("decoder_sparse_step", "some layers have no experts",
                      "Headlight only supports 1: experts in every layer");
    if (!fields.has("mlp_only_layers"))
        return;
    if (const Field layers = fields.field("mlp_only_layers"); layers.isArray() && layers.size() > 0)
        fields.refuse("mlp_only_layers", "some layers have no experts",
                      "Headlight only supports an empty list: experts in every layer");
}

FamilyModel readQwen3Moe(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model = llamaStack(fields, {.keyValueHeads = 4});
    model.config.queryKeyNorm = QueryKeyNorm::PerHead;
    model.config.feedForward.width =
        fields.size("moe_intermediate_size", kMaxFeedForwardWidth, 768);
    readExperts(fields, fields.nameOf("num_experts", "num_local_experts"), {128, 8}, model);
    model.config.feedForward.normalisesExperts = fields.flag("norm_topk_prob", false);
    refuseLayersWithoutExperts(fields);
    if (fields.flag("use_sliding_window", false))
        model.config.windows = {fields.size("sliding_window", kMaxPositions, 4096)};
    if (!fields.isSound())
        return model;
    readLlamaWords(fields, tensors, model);
    for (const auto &table : {kLlamaAttention, kMlpExperts, kLlamaNorms, kQueryKeyNorms})
        tensors.read(model, table);
    readLlamaBiases(fields, tensors, model);
    return model;
}

constexpr std::string_view kQwen3MoeTypes[] = {"qwen3_moe"};
constexpr std::string_view kQwen3MoeUnused[] = {"sliding_window", "max_window_layers"};

} // namespace

const Family kQwen3Moe{
    .name = "Qwen 3, mixture of experts",
    .paper = "Yang et al. 2025, Qwen3 Technical Report",
    .notes = "Qwen 3, mixtures of experts in every layer: `decoder_sparse_step` is 1 and "
             "`mlp_only_layers` is empty",
    .modelTypes = kQwen3MoeTypes,
    .prefix = "model.",
    .unusedFields = kQwen3MoeUnused,
    .unusedTensors = kLlamaStored,
    .read = readQwen3Moe,
};

} // namespace headlight::core
