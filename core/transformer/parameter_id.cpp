#include "core/transformer/parameter_id.h"

#include <charconv>

namespace headlight::core {

namespace {

constexpr std::array<std::string_view, kAttentionParameters.size()> kNames{
    "query", "key", "value", "output", "query_bias", "key_bias", "value_bias", "output_bias"};

constexpr Parameter AttentionWeights::*kMembers[] = {
    &AttentionWeights::query,     &AttentionWeights::key,        &AttentionWeights::value,
    &AttentionWeights::output,    &AttentionWeights::queryBias,  &AttentionWeights::keyBias,
    &AttentionWeights::valueBias, &AttentionWeights::outputBias,
};

constexpr std::string_view kLayers = "layers.";
constexpr std::string_view kAttention = ".self_attention.";

} // namespace

std::string nameOf(const ParameterId &id) {
    return std::string(kLayers) + std::to_string(id.layer) + std::string(kAttention) +
           std::string(kNames[static_cast<std::size_t>(id.which)]);
}

std::optional<ParameterId> findParameter(std::string_view name) {
    if (!name.starts_with(kLayers))
        return std::nullopt;
    name.remove_prefix(kLayers.size());
    Index layer = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), layer);
    if (error != std::errc() || layer < 0)
        return std::nullopt;
    name.remove_prefix(static_cast<std::size_t>(end - name.data()));
    if (!name.starts_with(kAttention))
        return std::nullopt;
    name.remove_prefix(kAttention.size());
    for (const AttentionParameter which : kAttentionParameters)
        if (kNames[static_cast<std::size_t>(which)] == name)
            return ParameterId{layer, which};
    return std::nullopt;
}

const Parameter &parameterOf(const Weights &weights, const ParameterId &id) {
    return weights.layers[static_cast<std::size_t>(id.layer)].selfAttention.*
           kMembers[static_cast<std::size_t>(id.which)];
}

Parameter &parameterOf(Weights &weights, const ParameterId &id) {
    return weights.layers[static_cast<std::size_t>(id.layer)].selfAttention.*
           kMembers[static_cast<std::size_t>(id.which)];
}

} // namespace headlight::core
