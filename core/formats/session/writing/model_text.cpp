// Writes a model's switches as the JSON that reading/config.cpp reads. Objects have all their
// members, so that they mean the same whatever they override.
#include "core/formats/session/data/state_fields.h"
#include "core/formats/session/data/words.h"
#include "core/formats/session/writing/text.h"

namespace headlight::core {

namespace {

template <typename Choice>
std::string choiceText(Choice choice) {
    return jsonText(wordFor(choice));
}

} // namespace

std::string textOf(bool flag) {
    return flag ? "true" : "false";
}

std::string textOf(float number) {
    return jsonNumber(number);
}

std::string textOf(const Scale &scale) {
    switch (scale.kind) {
    case Scale::Kind::SquareRoot:
        break;
    case Scale::Kind::Number:
        return jsonNumber(scale.number);
    case Scale::Kind::Off:
        return "\"off\"";
    }
    return "\"square_root\"";
}

std::string textOf(const Softcap &cap) {
    return cap.isOn() ? jsonNumber(cap.limit) : "\"off\"";
}

std::string textOf(const std::vector<Index> &windows) {
    std::string list;
    for (const Index window : windows)
        list += (list.empty() ? "" : ", ") + std::to_string(window);
    return "[" + list + "]";
}

std::string textOf(Positions positions) {
    return choiceText(positions);
}

std::string textOf(SinusoidOrder order) {
    return choiceText(order);
}

std::string textOf(const Norm &norm) {
    return jsonObject({{"kind", choiceText(norm.kind)},
                       {"place", choiceText(norm.place)},
                       {"epsilon", jsonNumber(norm.epsilon)},
                       {"final", textOf(norm.final)},
                       {"embedding", textOf(norm.embedding)}});
}

std::string textOf(QueryKeyNorm norm) {
    return choiceText(norm);
}

std::string textOf(const FeedForward &feedForward) {
    return jsonObject({{"width", std::to_string(feedForward.width)},
                       {"activation", choiceText(feedForward.activation)},
                       {"gated", textOf(feedForward.gated)}});
}

std::string textOf(const RotaryConfig &rotary) {
    return jsonObject({{"base", jsonNumber(rotary.base)},
                       {"width", std::to_string(rotary.width)},
                       {"scaling", choiceText(rotary.scaling)},
                       {"factor", jsonNumber(rotary.factor)},
                       {"original_length", std::to_string(rotary.originalLength)},
                       {"low_frequency_factor", jsonNumber(rotary.lowFrequencyFactor)},
                       {"high_frequency_factor", jsonNumber(rotary.highFrequencyFactor)},
                       {"beta_fast", jsonNumber(rotary.betaFast)},
                       {"beta_slow", jsonNumber(rotary.betaSlow)},
                       {"attention_factor", jsonNumber(rotary.attentionFactor)}});
}

std::string textOf(const RelativeConfig &relative) {
    return jsonObject({{"buckets", std::to_string(relative.buckets)},
                       {"maximum_distance", std::to_string(relative.maximumDistance)}});
}

std::string textOf(const OutputLayer &head) {
    return jsonObject({{"kind", choiceText(head.kind)},
                       {"scaled", textOf(head.scaled)},
                       {"activation", choiceText(head.activation)},
                       {"norm", textOf(head.norm)},
                       {"classes", std::to_string(head.classes)},
                       {"pooling", choiceText(head.pooling)}});
}

int formatVersionOf(const Config &config) {
    const auto isNew = [](Activation activation) { return activation > Activation::Silu; };
    const bool needsSecond =
        config.scoreCap.isOn() || config.logitCap.isOn() || !config.alibiSlopes.empty() ||
        config.norm.place > NormPosition::After || config.queryKeyNorm != QueryKeyNorm::None ||
        config.parallel || config.sharedNorm || config.valueSize > 0 || !config.windows.empty() ||
        config.encoder != EncoderSizes{} || isNew(config.feedForward.activation) ||
        isNew(config.outputLayer.activation);
    return needsSecond ? 2 : 1;
}

int formatVersionOf(const Model &model) {
    for (const VocabularyPointer &words : {model.vocabulary, model.sourceVocabulary})
        if (words && words->hasWordsAlike())
            return 2;
    return formatVersionOf(model.config);
}

int formatVersionOf(const Input &input) {
    int version = 1;
    for (const BatchPointer &batch : {input.batch, input.source})
        if (batch)
            version = std::max(version, formatVersionOf(*batch));
    return version;
}

int formatVersionOf(const StatePatch &said) {
    Config config; // fields of version 1, whose values may be new in version 2
    config.norm = said.norm.value_or(config.norm);
    config.feedForward = said.feedForward.value_or(config.feedForward);
    config.outputLayer = said.head.value_or(config.outputLayer);
    const bool isNew = said.scoreCap || said.logitCap || said.alibiSlopes || said.windows ||
                       said.queryKeyNorm || said.parallel || said.sharedNorm;
    int version = isNew ? 2 : formatVersionOf(config);
    for (const auto &batch : {said.batch, said.source})
        if (batch)
            version = std::max(version, formatVersionOf(**batch));
    return version;
}

std::vector<JsonMemberText> membersOf(const Config &config) {
    std::vector<JsonMemberText> members{{"width", std::to_string(config.width)},
                                        {"heads", std::to_string(config.heads)},
                                        {"head_size", std::to_string(config.headSize)}};
    for (const auto &[name, size] : {std::pair("key_value_heads", config.keyValueHeads),
                                     std::pair("value_size", config.valueSize),
                                     std::pair("embedding_width", config.embeddingWidth),
                                     std::pair("layer_count", config.layerCount),
                                     std::pair("position_offset", config.positionOffset)})
        if (size > 0)
            members.push_back({name, std::to_string(size)});
    const Config usual;
    forEachField(kSwitches, [&](const auto &field) {
        if (!(config.*field.place == usual.*field.place))
            members.push_back({field.name, textOf(config.*field.place)});
    });
    if (config.masking.value != usual.masking.value)
        members.push_back({"mask_value", maskValueText(config.masking.value)});
    if (config.masking.afterSoftmax)
        members.push_back({"mask_after_softmax", "true"});
    return members;
}

std::vector<JsonMemberText> membersOf(const EncoderSizes &sizes) {
    std::vector<JsonMemberText> members;
    for (const auto &[name, size] :
         {std::pair("heads", sizes.heads), std::pair("head_size", sizes.headSize),
          std::pair("value_size", sizes.valueSize),
          std::pair("key_value_heads", sizes.keyValueHeads),
          std::pair("feed_forward_width", sizes.feedForwardWidth)})
        if (size > 0)
            members.push_back({name, std::to_string(size)});
    return members;
}

} // namespace headlight::core
