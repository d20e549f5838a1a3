// OLMoE (modeling_olmoe.py of transformers): Llama with experts. It also normalises the
// concatenated queries of all heads, and the concatenated keys.
#include "core/formats/pretrained/families/expert_stack.h"
#include "core/formats/pretrained/families/families.h"
#include "core/formats/pretrained/families/llama_stack.h"

namespace headlight::core {

namespace {

FamilyModel readOlmoe(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model = llamaStack(fields, {.epsilon = 1e-5f});
    model.config.queryKeyNorm = QueryKeyNorm::AllHeads;
    readExperts(fields, fields.nameOf("num_experts", "num_local_experts"), {64, 8}, model);
    model.config.feedForward.normalisesExperts = fields.flag("norm_topk_prob", false);
    if (fields.has("clip_qkv"))
        fields.refuse("clip_qkv", "it limits queries, keys and values",
                      "Headlight only supports null: no limit");
    if (!fields.isSound())
        return model;
    readLlamaWords(fields, tensors, model);
    for (const auto &table : {kLlamaAttention, kMlpExperts, kLlamaNorms, kQueryKeyNorms})
        tensors.read(model, table);
    readLlamaBiases(fields, tensors, model);
    return model;
}

constexpr std::string_view kOlmoeTypes[] = {"olmoe"};

} // namespace

const Family kOlmoe{
    .name = "OLMoE",
    .paper = "Muennighoff et al. 2024, OLMoE: Open Mixture-of-Experts Language Models",
    .notes = "OLMoE, with experts, except with `clip_qkv`",
    .modelTypes = kOlmoeTypes,
    .prefix = "model.",
    .unusedFields = {},
    .unusedTensors = kLlamaStored,
    .read = readOlmoe,
};

} // namespace headlight::core
