// SmolLM3 (modeling_smollm3.py of transformers): Llama, but every fourth layer does not rotate
// queries and keys.
#include "core/formats/pretrained/families/families.h"
#include "core/formats/pretrained/families/llama_stack.h"

namespace headlight::core {

namespace {

FamilyModel readSmolLm3(FamilyFields &fields, FamilyTensors &tensors) {
    FamilyModel model = llamaStack(fields, {.rotary = {.base = 2e6f}});
    Config &config = model.config;
    const auto layers = std::ssize(model.parameters.main.layers);
    config.rotaryLayers = rotaryLayersIn(fields, layers);
    const Index window = fields.flag("use_sliding_window", false) && fields.has("sliding_window")
                             ? fields.size("sliding_window", kMaxPositions)
                             : 0;
    config.windows = fields.windows("layer_types", layers, window, [&](Index layer) {
        return static_cast<std::size_t>(layer) < config.rotaryLayers.size() &&
               !config.rotates(layer);
    });
    if (!fields.isSound())
        return model;
    readLlamaWords(fields, tensors, model, true);
    for (const auto &table : {kLlamaAttention, kLlamaFeedForward, kLlamaNorms})
        tensors.read(model, table);
    readLlamaBiases(fields, tensors, model);
    return model;
}

constexpr std::string_view kSmolLm3Types[] = {"smollm3"};
constexpr std::string_view kSmolLm3Unused[] = {"sliding_window", "max_window_layers"};

} // namespace

const Family kSmolLm3{
    .name = "SmolLM3",
    .paper = "Bakouch et al. 2025, SmolLM3: smol, multilingual, long-context reasoner",
    .notes = "SmolLM3",
    .modelTypes = kSmolLm3Types,
    .prefix = "model.",
    .unusedFields = kSmolLm3Unused,
    .unusedTensors = kLlamaStored,
    .read = readSmolLm3,
};

} // namespace headlight::core
