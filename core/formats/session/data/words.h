// The words of session files for enumerations, in enumeration order. Readers and writers share
// them.
#pragma once

#include "core/formats/session/data/lesson.h"
#include "core/selection/softmax_look.h"
#include "core/selection/view_options.h"
#include "core/training/recipe/optimizer_settings.h"
#include "core/transformer/model/config.h"
#include "core/transformer/names/attention_id.h"

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
    static constexpr std::string_view all[] = {"none", "linear", "dynamic", "yarn", "llama3"};
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
    static constexpr std::string_view all[] = {"none", "per_head", "all_heads"};
};
template <>
struct Words<Activation> {
    static constexpr std::string_view all[] = {"relu", "gelu",       "gelu_tanh",
                                               "silu", "quick_gelu", "squared_relu"};
};
template <>
struct Words<OutputLayerKind> {
    static constexpr std::string_view all[] = {"none", "language", "masked_language", "classifier"};
};
template <>
struct Words<Pooling> {
    static constexpr std::string_view all[] = {"first", "last", "mean"};
};

template <>
struct Words<OptimizerKind> {
    static constexpr std::string_view all[] = {"adamw", "sgd"};
};

/// Words for Selection::opened, the state of the arithmetic.
struct Arithmetic;
template <>
struct Words<Arithmetic> {
    static constexpr std::string_view all[] = {"line", "opened"};
};

template <>
struct Words<Block> {
    static constexpr std::string_view all[] = {"self", "cross"};
};
template <>
struct Words<Stack> {
    static constexpr std::string_view all[] = {"only", "encoder", "decoder", "source"};
};

template <>
struct Words<Granularity> {
    static constexpr std::string_view all[] = {"stage", "row", "cell"};
};
template <>
struct Words<PlaneAxes> {
    static constexpr std::string_view all[] = {"principal", "dot_product"};
};
template <>
struct Words<SoftmaxPart> {
    static constexpr std::string_view all[] = {"row", "spread"};
};
template <>
struct Words<ShownSpaces> {
    static constexpr std::string_view all[] = {"all", "residual", "query_key", "value_context"};
};
template <>
struct Words<ShownEncoding> {
    static constexpr std::string_view all[] = {"all",    "one_hot",    "bag_of_words",
                                               "tf_idf", "embeddings", "contextual"};
};

template <>
struct Words<Panel> {
    static constexpr std::string_view all[] = {"inspector", "editor", "history", "formula"};
};

template <typename Choice>
constexpr std::string_view wordFor(Choice choice) {
    assert(static_cast<std::size_t>(choice) < std::size(Words<Choice>::all));
    return Words<Choice>::all[static_cast<std::size_t>(choice)];
}

} // namespace headlight::core
