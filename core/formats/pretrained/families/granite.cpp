// Granite 3 (modeling_granite.py of transformers): Llama with multipliers for the embeddings, the
// scores, the blocks' outputs and the logits.
#include "core/formats/pretrained/families/families.h"
#include "core/formats/pretrained/families/llama_stack.h"

namespace headlight::core {

namespace {

FamilyModel readGranite(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model = llamaStack(fields);
    Config &config = model.config;
    config.embeddingFactor = fields.positive("embedding_multiplier", 1);
    config.residualFactor = fields.positive("residual_multiplier", 1);
    config.logitDivisor = fields.positive("logits_scaling", 1);
    const float factor = fields.positive("attention_multiplier", 1);
    config.scale =
        factor == 1 ? Scale{Scale::Kind::Off, 1} : Scale{Scale::Kind::Number, 1 / factor};
    if (!fields.isSound())
        return model;
    readLlamaWords(fields, tensors, model);
    for (const auto &table : {kLlamaAttention, kLlamaFeedForward, kLlamaNorms})
        tensors.read(model, table);
    readLlamaBiases(fields, tensors, model);
    return model;
}

constexpr std::string_view kGraniteTypes[] = {"granite"};

} // namespace

const Family kGranite{
    .name = "Granite",
    .paper = "Granite Team, IBM 2024, Granite 3.0 Language Models",
    .notes = "Granite 3, not its mixtures of experts. Headlight divides the output layer's input "
             "by `logits_scaling`, not the logits",
    .modelTypes = kGraniteTypes,
    .prefix = "model.",
    .unusedFields = {},
    .unusedTensors = kLlamaStored,
    .read = readGranite,
};

} // namespace headlight::core
