// A family of pretrained models: how to recognise its folders, and how to convert their config and
// tensors to a model.
//
// To add one, write families/NAME.cpp: a `read` function that fills a FamilyModel from the fields
// of config.json, then reads one or more tables of tensor names. Missing fields have the defaults
// of transformers' configuration_NAME.py. Declare its Family in families/families.h, list it in
// families.cpp, and add the file to core/CMakeLists.txt. families/llama.cpp is an example;
// families/gpt2.cpp has fused and transposed matrices.
#pragma once

#include "core/formats/pretrained/family/family_fields.h"
#include "core/formats/pretrained/family/family_tensors.h"

#include <span>
#include <string_view>

namespace headlight::core {

struct Family {
    std::string_view name;  ///< such as "GPT-2"
    std::string_view paper; ///< paper: authors, year and title
    /// The supported variants, in Markdown, for the table of docs/pretrained.md.
    std::string_view notes{};
    /// Values of model_type in config.json, such as "gpt2". The first one is the usual one.
    std::span<const std::string_view> modelTypes;
    /// Prefix of all tensor names except those of the output layer, such as "transformer.".
    /// Optional in files.
    std::string_view prefix;
    /// Fields of config.json to ignore, in addition to kUnusedFields, because they do not affect
    /// the computation. Fields that `read` requests need not be listed.
    std::span<const std::string_view> unusedFields;
    /// Tensors to ignore, such as stored masks and tensors of unsupported parts: patterns for
    /// matchesGlob(), with the prefix.
    std::span<const std::string_view> unusedTensors;
    /// Fields of generation_config.json that replace those of config.json, in addition to the
    /// fields about the start of a decoder's text.
    std::span<const std::string_view> generationFields{};
    /// Reads a model. Both arguments record all problems and then return harmless values, so `read`
    /// does not check for errors.
    FamilyModel (*read)(FamilyFields &fields, FamilyTensors &tensors);
};

/// Returns all families, in display order.
std::span<const Family *const> families();
/// Returns null for an unknown type.
const Family *findFamily(std::string_view modelType);

} // namespace headlight::core
