#include "core/transformer/model/parameter_id.h"

#include "core/transformer/model/model.h"
#include "core/transformer/model/parameter_table.h"

#include <cassert>
#include <charconv>

namespace headlight::core {

namespace {

constexpr std::string_view kEncoder = "encoder.";
constexpr std::string_view kLayers = "layers.";
constexpr std::string_view kFeedForward = "feed_forward";

std::optional<ParameterId> within(ParameterPart part, std::string_view name, ParameterId id) {
    const ParameterInfo *info = findInfo(part, name);
    if (!info)
        return std::nullopt;
    id.which = info->kind;
    return id;
}

/// Parses the name after "layers.0.", such as "self_attention.query".
std::optional<ParameterId> withinLayer(std::string_view name, ParameterId id) {
    const std::size_t dot = name.find('.');
    if (dot == name.npos)
        return std::nullopt;
    const std::string_view part = name.substr(0, dot), last = name.substr(dot + 1);
    if (part == kFeedForward)
        return within(ParameterPart::FeedForward, last, id);
    for (const Block block : {Block::SelfAttention, Block::CrossAttention})
        if (part == nameOf(block)) {
            id.block = block;
            return within(ParameterPart::Attention, last, id);
        }
    return std::nullopt;
}

} // namespace

ParameterPart partOf(ParameterKind kind) {
    return infoOf(kind).part();
}

bool isOfLayer(ParameterKind kind) {
    const ParameterPart part = partOf(kind);
    return part == ParameterPart::Attention || part == ParameterPart::FeedForward;
}

bool isRow(ParameterKind kind) {
    return infoOf(kind).isRow();
}

std::string_view nameOfPart(const ParameterId &id) {
    return partOf(id.which) == ParameterPart::Attention ? nameOf(id.block) : kFeedForward;
}

std::string nameOf(const ParameterId &id) {
    std::string name;
    if (partOf(id.which) != ParameterPart::OutputLayer && id.stack == Stack::Encoder)
        name += kEncoder;
    if (isOfLayer(id.which)) {
        name += kLayers;
        name += std::to_string(id.layer);
        name += '.';
        name += nameOfPart(id);
        name += '.';
    }
    name += infoOf(id.which).name;
    return name;
}

std::optional<ParameterId> findParameter(std::string_view name) {
    ParameterId id;
    if (const auto found = within(ParameterPart::OutputLayer, name, id))
        return found;
    if (name.starts_with(kEncoder)) {
        id.stack = Stack::Encoder;
        name.remove_prefix(kEncoder.size());
    }
    if (const auto found = within(ParameterPart::Stack, name, id))
        return found;
    if (!name.starts_with(kLayers))
        return std::nullopt;
    name.remove_prefix(kLayers.size());
    const char *end = name.data() + name.size();
    const auto [rest, error] = std::from_chars(name.data(), end, id.layer);
    if (error != std::errc() || id.layer < 0 || rest == end || *rest != '.')
        return std::nullopt;
    return withinLayer({rest + 1, static_cast<std::size_t>(end - rest - 1)}, id);
}

Parameter &parameterOf(ModelParameters &weights, const ParameterId &id) {
    assert(hasPlaceFor(weights, id));
    return infoOf(id.which).member.in(weights, id);
}

const Parameter &parameterOf(const ModelParameters &weights, const ParameterId &id) {
    return parameterOf(const_cast<ModelParameters &>(weights), id); // safe: the result is const
}

bool hasPlaceFor(const ModelParameters &weights, const ParameterId &id) {
    const ParameterPart part = partOf(id.which);
    const bool encoder = id.stack == Stack::Encoder;
    if (part == ParameterPart::OutputLayer)
        return true;
    if (encoder && !weights.hasEncoder())
        return false;
    const StackParameters &stack = encoder ? weights.encoder : weights.main;
    return part == ParameterPart::Stack ||
           (id.layer >= 0 && id.layer < static_cast<Index>(stack.layers.size()));
}

bool hasPlaceFor(const Config &config, const ParameterId &id) {
    return infoOf(id.which).hasPlace(configFor(config, id));
}

Config configFor(const Config &config, const ParameterId &id) {
    if (id.stack == Stack::Encoder)
        return config.ofEncoder();
    return partOf(id.which) == ParameterPart::FeedForward ? config.ofLayer(id.layer) : config;
}

bool hasWhatItIsBeside(const ModelParameters &weights, const ParameterId &id) {
    const std::optional<ParameterKind> beside = infoOf(id.which).beside;
    return !beside || parameterOf(weights, {id.layer, *beside, id.block, id.stack});
}

std::vector<ParameterId> allParameters(const ModelParameters &weights) {
    std::vector<ParameterId> all;
    const auto add = [&all](ParameterPart part, ParameterId id) {
        for (const ParameterInfo &info : parametersOf(part)) {
            id.which = info.kind;
            all.push_back(id);
        }
    };
    const auto addStack = [&](const StackParameters &stack, Stack which) {
        const auto addOwn = [&](bool afterLayers) {
            for (const ParameterInfo &info : parametersOf(ParameterPart::Stack))
                if (info.isAfterLayers == afterLayers)
                    all.push_back({0, info.kind, Block::SelfAttention, which});
        };
        addOwn(false);
        for (Index layer = 0; layer < static_cast<Index>(stack.layers.size()); ++layer) {
            for (const Block block : {Block::SelfAttention, Block::CrossAttention})
                add(ParameterPart::Attention, {layer, {}, block, which});
            add(ParameterPart::FeedForward, {layer, {}, Block::SelfAttention, which});
        }
        addOwn(true);
    };
    if (weights.hasEncoder())
        addStack(weights.encoder, Stack::Encoder);
    addStack(weights.main, Stack::Main);
    add(ParameterPart::OutputLayer, {});
    return all;
}

void dropWithoutPlace(ModelParameters &weights, const Config &config) {
    for (const ParameterId &id : allParameters(weights)) {
        Parameter &parameter = parameterOf(weights, id);
        const ParameterInfo &info = infoOf(id.which);
        const Config its = configFor(config, id);
        const bool fits =
            !parameter || !info.isOfNorm() || parameter->columns() == info.columns(its, kAnyRows);
        if (!info.hasPlace(its) || !fits)
            parameter = nullptr;
    }
}

ParameterId parameterAt(const Model &model, ParameterKind which, AttentionId attention) {
    ParameterId id;
    id.which = which;
    if (partOf(which) == ParameterPart::OutputLayer)
        return id;
    id.stack = attention.stack == Stack::Encoder ? Stack::Encoder : Stack::Main;
    if (isOfLayer(which) && model.layerCount(attention.stack) > 0)
        id.layer = model.weightsLayer(attention.stack, attention.layer);
    if (partOf(which) == ParameterPart::Attention)
        id.block = attention.block;
    return id;
}

} // namespace headlight::core
