// Qwen 3 (modeling_qwen3.py of transformers): Qwen 2 without biases, and with a norm of each head's
// queries and keys before rotation.
#include "core/formats/pretrained/families/families.h"
#include "core/formats/pretrained/families/llama_stack.h"

namespace headlight::core {

namespace {

FamilyModel readQwen3(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model = llamaStack(fields, {.headSize = 128});
    model.config.queryKeyNorm = QueryKeyNorm::PerHead;
    readUpperWindows(fields, model);
    fields.mustBe("mlp_bias", false);
    if (!fields.isSound())
        return model;
    readLlamaWords(fields, tensors, model);
    for (const auto &table : {kLlamaAttention, kLlamaFeedForward, kLlamaNorms, kQueryKeyNorms})
        tensors.read(model, table);
    readLlamaBiases(fields, tensors, model);
    return model;
}

constexpr std::string_view kQwen3Types[] = {"qwen3"};
constexpr std::string_view kQwen3Unused[] = {"sliding_window", "max_window_layers"};

} // namespace

const Family kQwen3{
    .name = "Qwen 3",
    .paper = "Yang et al. 2025, Qwen3 Technical Report",
    .notes = "Qwen 3",
    .modelTypes = kQwen3Types,
    .prefix = "model.",
    .unusedFields = kQwen3Unused,
    .unusedTensors = kLlamaStored,
    .read = readQwen3,
};

} // namespace headlight::core
