// Reads models, inputs and numbers from the files that the scripts of tests/reference wrote, and
// compares with them.
#pragma once

#include "core/transformer/trace/trace.h"

#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// The files of a folder of tests/data, in the order of their names.
std::vector<std::filesystem::path> referenceFiles(const std::string &folder);
nlohmann::json readReference(const std::filesystem::path &path);

/// {"shape", "values"}; a vector becomes one row.
headlight::core::Parameter matrixFrom(const nlohmann::json &json);
headlight::core::Tensor tensorFrom(const nlohmann::json &json);
headlight::core::Scale scaleFrom(const nlohmann::json &json);
headlight::core::MaskLayers masksFrom(const nlohmann::json &json);

/// A whole transformer: "model" of a file of tests/data/transformer, and what it reads.
headlight::core::Model transformerFrom(const nlohmann::json &model);
headlight::core::Input transformerInputFrom(const nlohmann::json &document);

/// The largest deviation, relative to the largest of `theirs` where that is over `floor`. What
/// stands for hidden scores must be exactly that, and counts for nothing else; so must zeros where
/// `exactZeros`.
double deviationOf(const headlight::core::Tensor &ours, const nlohmann::json &theirs,
                   double floor = 1, bool exactZeros = false,
                   double hidden = -std::numeric_limits<double>::infinity());
