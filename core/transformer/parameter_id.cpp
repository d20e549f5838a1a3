#include "core/transformer/parameter_id.h"

#include <cassert>
#include <charconv>
#include <span>

namespace headlight::core {

namespace {

template <typename Owner>
struct Entry {
    ParameterKind kind;
    std::string_view name;
    Parameter &(*get)(Owner &);
};

using K = ParameterKind;
using A = AttentionWeights;
using F = FeedForwardWeights;
using S = StackWeights;
using H = HeadWeights;

constexpr Entry<A> kAttention[] = {
    {K::Query, "query", [](A &a) -> Parameter & { return a.query; }},
    {K::Key, "key", [](A &a) -> Parameter & { return a.key; }},
    {K::Value, "value", [](A &a) -> Parameter & { return a.value; }},
    {K::Output, "output", [](A &a) -> Parameter & { return a.output; }},
    {K::QueryBias, "query_bias", [](A &a) -> Parameter & { return a.queryBias; }},
    {K::KeyBias, "key_bias", [](A &a) -> Parameter & { return a.keyBias; }},
    {K::ValueBias, "value_bias", [](A &a) -> Parameter & { return a.valueBias; }},
    {K::OutputBias, "output_bias", [](A &a) -> Parameter & { return a.outputBias; }},
    {K::NormGain, "norm_gain", [](A &a) -> Parameter & { return a.norm.gain; }},
    {K::NormBias, "norm_bias", [](A &a) -> Parameter & { return a.norm.bias; }},
};

constexpr Entry<F> kFeedForward[] = {
    {K::Gate, "gate", [](F &f) -> Parameter & { return f.gate; }},
    {K::Hidden, "hidden", [](F &f) -> Parameter & { return f.hidden; }},
    {K::FeedForwardOutput, "output", [](F &f) -> Parameter & { return f.output; }},
    {K::GateBias, "gate_bias", [](F &f) -> Parameter & { return f.gateBias; }},
    {K::HiddenBias, "hidden_bias", [](F &f) -> Parameter & { return f.hiddenBias; }},
    {K::FeedForwardOutputBias, "output_bias", [](F &f) -> Parameter & { return f.outputBias; }},
    {K::FeedForwardNormGain, "norm_gain", [](F &f) -> Parameter & { return f.norm.gain; }},
    {K::FeedForwardNormBias, "norm_bias", [](F &f) -> Parameter & { return f.norm.bias; }},
};

constexpr Entry<S> kStack[] = {
    {K::Embeddings, "token_embeddings", [](S &s) -> Parameter & { return s.embeddings; }},
    {K::Positions, "position_embeddings", [](S &s) -> Parameter & { return s.positions; }},
    {K::TokenTypes, "token_types", [](S &s) -> Parameter & { return s.tokenTypes; }},
    {K::EmbeddingNormGain, "embedding_norm_gain",
     [](S &s) -> Parameter & { return s.embeddingNorm.gain; }},
    {K::EmbeddingNormBias, "embedding_norm_bias",
     [](S &s) -> Parameter & { return s.embeddingNorm.bias; }},
    {K::EmbeddingProjection, "embedding_projection",
     [](S &s) -> Parameter & { return s.embeddingProjection; }},
    {K::EmbeddingProjectionBias, "embedding_projection_bias",
     [](S &s) -> Parameter & { return s.embeddingProjectionBias; }},
    {K::PositionBias, "position_bias", [](S &s) -> Parameter & { return s.positionBias; }},
    {K::FinalNormGain, "final_norm_gain", [](S &s) -> Parameter & { return s.finalNorm.gain; }},
    {K::FinalNormBias, "final_norm_bias", [](S &s) -> Parameter & { return s.finalNorm.bias; }},
};

constexpr Entry<H> kHead[] = {
    {K::HeadTransform, "head_transform", [](H &h) -> Parameter & { return h.transform; }},
    {K::HeadTransformBias, "head_transform_bias",
     [](H &h) -> Parameter & { return h.transformBias; }},
    {K::HeadNormGain, "head_norm_gain", [](H &h) -> Parameter & { return h.norm.gain; }},
    {K::HeadNormBias, "head_norm_bias", [](H &h) -> Parameter & { return h.norm.bias; }},
    {K::OutputMatrix, "output_matrix", [](H &h) -> Parameter & { return h.output; }},
    {K::OutputMatrixBias, "output_bias", [](H &h) -> Parameter & { return h.outputBias; }},
    {K::Pooler, "pooler", [](H &h) -> Parameter & { return h.pooler; }},
    {K::PoolerBias, "pooler_bias", [](H &h) -> Parameter & { return h.poolerBias; }},
    {K::Classifier, "classifier", [](H &h) -> Parameter & { return h.classifier; }},
    {K::ClassifierBias, "classifier_bias", [](H &h) -> Parameter & { return h.classifierBias; }},
};

template <typename Owner, std::size_t n>
const Entry<Owner> *find(const Entry<Owner> (&entries)[n], ParameterKind kind) {
    for (const Entry<Owner> &entry : entries)
        if (entry.kind == kind)
            return &entry;
    return nullptr;
}

template <typename Owner, std::size_t n>
const Entry<Owner> *find(const Entry<Owner> (&entries)[n], std::string_view name) {
    for (const Entry<Owner> &entry : entries)
        if (entry.name == name)
            return &entry;
    return nullptr;
}

std::string_view ownName(ParameterKind kind) {
    if (const auto *entry = find(kAttention, kind))
        return entry->name;
    if (const auto *entry = find(kFeedForward, kind))
        return entry->name;
    if (const auto *entry = find(kStack, kind))
        return entry->name;
    return find(kHead, kind)->name;
}

constexpr std::string_view kEncoder = "encoder.";
constexpr std::string_view kLayers = "layers.";
constexpr std::string_view kFeedForwardName = "feed_forward";

/// What follows "layers.0.": "self_attention.query".
std::optional<ParameterId> findInLayer(std::string_view name, ParameterId id) {
    const std::size_t dot = name.find('.');
    if (dot == name.npos)
        return std::nullopt;
    const std::string_view part = name.substr(0, dot), last = name.substr(dot + 1);
    if (part == kFeedForwardName) {
        const auto *entry = find(kFeedForward, last);
        if (!entry)
            return std::nullopt;
        id.which = entry->kind;
        return id;
    }
    for (const Block block : {Block::SelfAttention, Block::CrossAttention})
        if (part == nameOf(block)) {
            const auto *entry = find(kAttention, last);
            if (!entry)
                return std::nullopt;
            id.which = entry->kind;
            id.block = block;
            return id;
        }
    return std::nullopt;
}

} // namespace

ParameterPart partOf(ParameterKind kind) {
    if (kind <= ParameterKind::NormBias)
        return ParameterPart::Attention;
    if (kind <= ParameterKind::FeedForwardNormBias)
        return ParameterPart::FeedForward;
    if (kind <= ParameterKind::FinalNormBias)
        return ParameterPart::Stack;
    return ParameterPart::Head;
}

bool isRow(ParameterKind kind) {
    const std::string_view name = ownName(kind);
    return name.ends_with("_bias") ? kind != ParameterKind::PositionBias
                                   : name.ends_with("norm_gain");
}

std::string nameOf(const ParameterId &id) {
    std::string name;
    const ParameterPart part = partOf(id.which);
    if (part != ParameterPart::Head && id.stack == Stack::Encoder)
        name += kEncoder;
    if (part == ParameterPart::Attention || part == ParameterPart::FeedForward) {
        name += kLayers;
        name += std::to_string(id.layer);
        name += '.';
        name += part == ParameterPart::Attention ? nameOf(id.block) : kFeedForwardName;
        name += '.';
    }
    name += ownName(id.which);
    return name;
}

std::optional<ParameterId> findParameter(std::string_view name) {
    ParameterId id;
    if (const auto *entry = find(kHead, name)) {
        id.which = entry->kind;
        return id;
    }
    if (name.starts_with(kEncoder)) {
        id.stack = Stack::Encoder;
        name.remove_prefix(kEncoder.size());
    }
    if (const auto *entry = find(kStack, name)) {
        id.which = entry->kind;
        return id;
    }
    if (!name.starts_with(kLayers))
        return std::nullopt;
    name.remove_prefix(kLayers.size());
    const char *end = name.data() + name.size();
    const auto [rest, error] = std::from_chars(name.data(), end, id.layer);
    if (error != std::errc() || id.layer < 0 || rest == end || *rest != '.')
        return std::nullopt;
    return findInLayer({rest + 1, static_cast<std::size_t>(end - rest - 1)}, id);
}

Parameter &parameterOf(Weights &weights, const ParameterId &id) {
    assert(hasPlaceFor(weights, id));
    StackWeights &stack = id.stack == Stack::Encoder ? weights.encoder : weights.main;
    const auto layer = [&]() -> LayerWeights & {
        return stack.layers[static_cast<std::size_t>(id.layer)];
    };
    switch (partOf(id.which)) {
    case ParameterPart::Attention:
        return find(kAttention, id.which)
            ->get(id.block == Block::SelfAttention ? layer().selfAttention
                                                   : layer().crossAttention);
    case ParameterPart::FeedForward:
        return find(kFeedForward, id.which)->get(layer().feedForward);
    case ParameterPart::Stack:
        return find(kStack, id.which)->get(stack);
    case ParameterPart::Head:
        break;
    }
    return find(kHead, id.which)->get(weights.head);
}

const Parameter &parameterOf(const Weights &weights, const ParameterId &id) {
    return parameterOf(const_cast<Weights &>(weights), id); // only returned, as const
}

bool hasPlaceFor(const Weights &weights, const ParameterId &id) {
    const ParameterPart part = partOf(id.which);
    const bool encoder = id.stack == Stack::Encoder;
    if (part == ParameterPart::Head)
        return true;
    if (encoder && !weights.hasEncoder())
        return false;
    const StackWeights &stack = encoder ? weights.encoder : weights.main;
    return part == ParameterPart::Stack ||
           (id.layer >= 0 && id.layer < static_cast<Index>(stack.layers.size()));
}

std::vector<ParameterId> allParameters(const Weights &weights) {
    std::vector<ParameterId> all;
    const auto ofStack = [&](const StackWeights &stack, Stack which) {
        for (const auto &entry : kStack)
            if (entry.kind < ParameterKind::FinalNormGain)
                all.push_back({0, entry.kind, Block::SelfAttention, which});
        for (Index layer = 0; layer < static_cast<Index>(stack.layers.size()); ++layer) {
            for (const Block block : {Block::SelfAttention, Block::CrossAttention})
                for (const auto &entry : kAttention)
                    all.push_back({layer, entry.kind, block, which});
            for (const auto &entry : kFeedForward)
                all.push_back({layer, entry.kind, Block::SelfAttention, which});
        }
        for (const auto &entry : kStack)
            if (entry.kind >= ParameterKind::FinalNormGain)
                all.push_back({0, entry.kind, Block::SelfAttention, which});
    };
    if (weights.hasEncoder())
        ofStack(weights.encoder, Stack::Encoder);
    ofStack(weights.main, Stack::Only);
    for (const auto &entry : kHead)
        all.push_back({0, entry.kind, Block::SelfAttention, Stack::Only});
    return all;
}

} // namespace headlight::core
