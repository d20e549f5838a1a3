// A family of pretrained models: what its folders are called, and how their config and tensors
// become a model of ours.
//
// To add one, write families/NAME.cpp: a `read` function that fills a FamilyModel from the fields
// of config.json, then reads one table, or several, of tensor names. Put its Family into the list
// in families.cpp and the file into core/CMakeLists.txt. families/gpt2.cpp is an example.
#pragma once

#include "core/formats/pretrained/family/family_fields.h"
#include "core/formats/pretrained/family/family_tensors.h"

#include <span>
#include <string_view>

namespace headlight::core {

struct Family {
    std::string_view name;  ///< "GPT-2"
    std::string_view paper; ///< who described it, where and when
    /// What config.json calls it: "gpt2". The first is the usual one.
    std::span<const std::string_view> modelTypes;
    /// Before the names of all tensors but those of the output layer, or before none:
    /// "transformer."
    std::string_view prefix;
    /// Fields of its config.json that change nothing of what is computed here, besides those of
    /// every family (kUnusedFields). What `read` asks for need not be said.
    std::span<const std::string_view> unusedFields;
    /// Tensors that are no parameters, such as stored masks, and those of parts that are not
    /// computed here: patterns as of matchesGlob(), with the prefix.
    std::span<const std::string_view> unusedTensors;
    /// Whatever is wrong is noted by the two arguments, which then give any value; so it need not
    /// be looked at here.
    FamilyModel (*read)(FamilyFields &fields, FamilyTensors &tensors);
};

/// All of them, in the order in which they are listed for people.
std::span<const Family *const> families();
/// Null: no family of ours is called so.
const Family *findFamily(std::string_view modelType);

} // namespace headlight::core
