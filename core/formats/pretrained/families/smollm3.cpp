// SmolLM3 (modeling_smollm3.py of transformers): Llama, but every fourth layer does not rotate
// queries and keys.
#include "core/formats/pretrained/families/families.h"
#include "core/formats/pretrained/families/llama_stack.h"

#include <algorithm>

namespace headlight::core {

namespace {

/// Returns 1 for each layer that rotates, else 0. This is also the meaning of the field
/// no_rope_layers, despite its name.
std::vector<Index> rotaryLayersIn(const FamilyFields &fields, Index layers) {
    const Index interval = fields.size("no_rope_layer_interval", kMaxLayers, 4);
    const Field list = fields.field("no_rope_layers");
    const bool isList = fields.has("no_rope_layers") && list.isArray();
    if (isList && static_cast<Index>(list.size()) < layers)
        fields.refuse("no_rope_layers",
                      {"it has entries for %1 layers, but there are %2", list.size(), layers},
                      "it must have one entry for each");
    std::vector<Index> rotates;
    for (Index layer = 0; layer < layers; ++layer)
        if (!isList)
            rotates.push_back((layer + 1) % interval != 0 ? 1 : 0);
        else if (layer < static_cast<Index>(list.size()))
            rotates.push_back(
                list.element(static_cast<std::size_t>(layer)).whole(0, 1).value_or(1));
    return rotates;
}

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
