// OLMo 2 (modeling_olmo2.py of transformers): Llama with norms of the blocks' outputs instead of
// their inputs. It also normalises the concatenated queries of all heads, and the concatenated
// keys.
#include "core/formats/pretrained/families/families.h"
#include "core/formats/pretrained/families/llama_stack.h"

namespace headlight::core {

namespace {

using K = ParameterKind;

constexpr TensorRow kOlmo2Norms[] = {
    {"model.layers.{}.post_attention_layernorm.weight", K::OutputNormGain},
    {"model.layers.{}.post_feedforward_layernorm.weight", K::FeedForwardOutputNormGain},
};

FamilyModel readOlmo2(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model = llamaStack(fields, {.epsilon = 1e-5f});
    model.config.norm.place = NormPosition::Output;
    model.config.queryKeyNorm = QueryKeyNorm::AllHeads;
    fields.mustBe("mlp_bias", false);
    if (!fields.isSound())
        return model;
    readLlamaWords(fields, tensors, model);
    for (const auto &table : {kLlamaAttention, kLlamaFeedForward,
                              std::span<const TensorRow>(kOlmo2Norms), kQueryKeyNorms})
        tensors.read(model, table);
    readLlamaBiases(fields, tensors, model);
    return model;
}

constexpr std::string_view kOlmo2Types[] = {"olmo2"};

} // namespace

const Family kOlmo2{
    .name = "OLMo 2",
    .paper = "OLMo Team 2024, 2 OLMo 2 Furious",
    .notes = "OLMo 2",
    .modelTypes = kOlmo2Types,
    .prefix = "model.",
    .unusedFields = {},
    .unusedTensors = kLlamaStored,
    .read = readOlmo2,
};

} // namespace headlight::core
