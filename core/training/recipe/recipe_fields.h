// The fields of a recipe, with their limits. validate(), session files, the command line and the
// window's form use them.
#pragma once

#include "core/formats/fields/field_table.h"
#include "core/formats/fields/words.h"
#include "core/training/recipe/ablation.h"
#include "core/training/recipe/recipe.h"

namespace headlight::core {

template <>
struct Words<OptimizerKind> {
    static constexpr std::string_view all[] = {"adamw", "sgd"};
};

// clang-format off
template <> const FieldTable<OptimizerSettings> &Fields<OptimizerSettings>::table();
template <> const FieldTable<Architecture> &Fields<Architecture>::table();
template <> const FieldTable<Recipe> &Fields<Recipe>::table();
// clang-format on

/// Reads and writes the id of an ablation.
Codec<Ablation> ablation();

} // namespace headlight::core
