// A session document from nothing but a model and what it reads.
#include "core/formats/session_text.h"
#include "core/formats/session_writer.h"

#include <cassert>

namespace headlight::core {

namespace {

using Members = std::vector<JsonMemberText>;

std::string indent(int levels) {
    return "\n" + std::string(static_cast<std::size_t>(2 * levels), ' ');
}

std::string embeddingsText(const Embeddings::Given &given) {
    Members members;
    Members words;
    for (const auto &[word, vector] : given.words)
        words.push_back({word, textOf(vector)});
    if (!words.empty())
        members.push_back({"words", jsonObject(words, indent(4))});
    if (given.deviation == 0) {
        members.push_back({"others", "\"zero\""});
    } else {
        members.push_back({"others", "{\"random\": " +
                                         jsonObject({{"seed", seedText(given.seed)},
                                                     {"scale", jsonNumber(given.deviation)}}) +
                                         "}"});
    }
    if (given.ignoreCase)
        members.push_back({"ignore_case", "true"});
    return jsonObject(members, indent(3));
}

std::string layerText(const AttentionWeights &weights) {
    Members members;
    const auto add = [&members](const char *name, const Parameter &parameter, bool bias) {
        if (parameter)
            members.push_back(
                {name, bias ? textOf(parameter->values()) : textOf(*parameter, indent(6))});
    };
    add("query", weights.query, false);
    add("key", weights.key, false);
    add("value", weights.value, false);
    add("output", weights.output, false);
    add("query_bias", weights.queryBias, true);
    add("key_bias", weights.keyBias, true);
    add("value_bias", weights.valueBias, true);
    add("output_bias", weights.outputBias, true);
    return jsonObject({{"self_attention", jsonObject(members, indent(5))}}, indent(4));
}

std::string modelText(const Model &model) {
    const Config &config = model.config;
    Members members{{"width", std::to_string(config.width)},
                    {"heads", std::to_string(config.heads)},
                    {"head_size", std::to_string(config.headSize)}};
    const Config usual;
    if (config.scale != usual.scale)
        members.push_back({"scale", textOf(config.scale)});
    if (config.temperature != usual.temperature)
        members.push_back({"temperature", jsonNumber(config.temperature)});
    if (config.positions != usual.positions)
        members.push_back({"positions", textOf(config.positions)});
    if (!config.softmax)
        members.push_back({"softmax", "false"});
    if (config.masking.value != usual.masking.value)
        members.push_back({"mask_value", maskValueText(config.masking.value)});
    if (config.masking.afterSoftmax)
        members.push_back({"mask_after_softmax", "true"});
    members.push_back({"embeddings", embeddingsText(model.embeddings->given())});
    std::string layers;
    for (const LayerWeights &layer : model.weights.main.layers)
        layers += (layers.empty() ? "" : ",") + indent(3) + layerText(layer.selfAttention);
    members.push_back({"layers", "[" + layers + indent(2) + "]"});
    return jsonObject(members, indent(2));
}

} // namespace

std::string writeNewSession(const std::string &title, const Model &model, const Input &input,
                            Index minimumLength, const SelectionPatch &view) {
    assert(model.embeddings && input.batch && !model.weights.main.layers.empty());
    Members members{{"headlight", "1"}};
    if (!title.empty())
        members.push_back({"title", jsonText(title)});
    members.push_back({"batch", textOf(*input.batch, minimumLength)});
    members.push_back({"model", modelText(model)});
    if (!input.masks.empty())
        members.push_back({"masks", textOf(input.masks)});
    if (!input.interventions.empty())
        members.push_back({"interventions", textOf(input.interventions)});
    if (const Members look = membersOf(view); !look.empty())
        members.push_back({"view", jsonObject(look)});
    return jsonObject(members, indent(1)) + "\n";
}

} // namespace headlight::core
