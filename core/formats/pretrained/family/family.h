// A family of pretrained models: the names of its folders, and how their config and tensors become
// a model of ours.
//
// To add one, write families/NAME.cpp: a `read` function that fills a FamilyModel from the fields
// of config.json, then reads one or more tables of tensor names. Missing fields have the defaults
// of transformers' configuration_NAME.py. Declare its Family in families/families.h, list it in
// families.cpp, and the file in core/CMakeLists.txt. families/llama.cpp is an example;
// families/gpt2.cpp has fused and transposed matrices.
#pragma once

#include "core/formats/pretrained/family/family_fields.h"
#include "core/formats/pretrained/family/family_tensors.h"

#include <span>
#include <string_view>

namespace headlight::core {

struct Family {
    std::string_view name;  ///< "GPT-2"
    std::string_view paper; ///< authors, year and title
    /// Values of model_type in config.json, such as "gpt2". The first is the usual one.
    std::span<const std::string_view> modelTypes;
    /// Prefix of all tensor names except those of the output layer; optional in files:
    /// "transformer."
    std::string_view prefix;
    /// Fields of its config.json without effect on the computation, in addition to kUnusedFields.
    /// Fields that `read` requests need not be listed.
    std::span<const std::string_view> unusedFields;
    /// Tensors that are not parameters, such as stored masks, or that belong to unsupported parts:
    /// patterns for matchesGlob(), with the prefix.
    std::span<const std::string_view> unusedTensors;
    /// The two arguments record all problems and then return arbitrary values, so `read` does not
    /// check for errors.
    FamilyModel (*read)(FamilyFields &fields, FamilyTensors &tensors);
};

/// Returns all families, in display order.
std::span<const Family *const> families();
/// Returns null for an unknown type.
const Family *findFamily(std::string_view modelType);

} // namespace headlight::core
