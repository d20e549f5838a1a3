// The words of session files for enumeration values, in enumeration order. Readers and writers
// share them.
#pragma once

#include "core/formats/fields/words.h"
#include "core/formats/session/data/lesson.h"
#include "core/selection/softmax_look.h"
#include "core/selection/view_options.h"
#include "core/training/recipe/recipe_fields.h"
#include "core/transformer/names/attention_id.h"

namespace headlight::core {

/// Words for the values of Selection::opened, the form of the arithmetic.
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

} // namespace headlight::core
