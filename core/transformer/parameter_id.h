// Which of a model's parameters: an identity that files, undo steps and editors can hold instead of
// a pointer.
#pragma once

#include "core/transformer/weights.h"

#include <array>
#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace headlight::core {

enum class AttentionParameter {
    Query,
    Key,
    Value,
    Output,
    QueryBias,
    KeyBias,
    ValueBias,
    OutputBias,
};

inline constexpr std::array kAttentionParameters{
    AttentionParameter::Query,     AttentionParameter::Key,        AttentionParameter::Value,
    AttentionParameter::Output,    AttentionParameter::QueryBias,  AttentionParameter::KeyBias,
    AttentionParameter::ValueBias, AttentionParameter::OutputBias,
};

struct ParameterId {
    Index layer = 0;
    AttentionParameter which = AttentionParameter::Query;
    auto operator<=>(const ParameterId &) const = default;
};

/// As files write it: "layers.0.self_attention.query", "layers.0.self_attention.output_bias".
std::string nameOf(const ParameterId &id);
/// None where no parameter has this name.
std::optional<ParameterId> findParameter(std::string_view name);

/// The layer must exist. Null where the model does not have the parameter.
const Parameter &parameterOf(const Weights &weights, const ParameterId &id);
Parameter &parameterOf(Weights &weights, const ParameterId &id);

} // namespace headlight::core
