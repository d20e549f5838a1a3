// The words for enumeration values in files: the template, and the words of a model's config.
#pragma once

#include "core/formats/fields/codec.h"
#include "core/transformer/model/config.h"

#include <cassert>
#include <iterator>
#include <string_view>

namespace headlight::core {

/// Words, indexed by enumeration value.
template <typename Choice>
struct Words;

template <>
struct Words<Positions> {
    static constexpr std::string_view all[] = {"none",   "sinusoidal", "learned",
                                               "rotary", "alibi",      "relative"};
};
template <>
struct Words<SinusoidOrder> {
    static constexpr std::string_view all[] = {"interleaved", "halves"};
};
template <>
struct Words<RotaryScaling> {
    static constexpr std::string_view all[] = {"none", "linear", "dynamic",
                                               "yarn", "llama3", "longrope"};
};
template <>
struct Words<NormKind> {
    static constexpr std::string_view all[] = {"none", "layer", "rms", "batch"};
};
template <>
struct Words<NormPosition> {
    static constexpr std::string_view all[] = {"before", "after", "output", "before_and_output"};
};
template <>
struct Words<QueryKeyNorm> {
    static constexpr std::string_view all[] = {"none", "per_head", "all_heads", "rotated"};
};
template <>
struct Words<Activation> {
    static constexpr std::string_view all[] = {"relu", "gelu",       "gelu_tanh",
                                               "silu", "quick_gelu", "squared_relu"};
};
template <>
struct Words<OutputLayerKind> {
    static constexpr std::string_view all[] = {"none", "language", "masked_language", "classifier",
                                               "projection"};
};
template <>
struct Words<Pooling> {
    static constexpr std::string_view all[] = {"first", "last", "mean", "second", "largest_id"};
};

template <typename Choice>
constexpr std::string_view wordFor(Choice choice) {
    assert(static_cast<std::size_t>(choice) < std::size(Words<Choice>::all));
    return Words<Choice>::all[static_cast<std::size_t>(choice)];
}

/// A codec of the enumeration's words.
template <typename Choice>
Codec<Choice> oneOf() {
    return oneOf<Choice>(Words<Choice>::all);
}

} // namespace headlight::core
