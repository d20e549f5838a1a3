// Reads models, inputs and numbers written by the scripts in tests/reference, and compares with
// them.
#pragma once

#include "core/transformer/trace/trace.h"

#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// Returns the files of a folder of tests/data, sorted by name.
std::vector<std::filesystem::path> referenceFiles(const std::string &folder);
nlohmann::json readReference(const std::filesystem::path &path);

/// Reads {"shape", "values"}. A vector becomes one row.
headlight::core::Parameter matrixFrom(const nlohmann::json &json);
headlight::core::Tensor tensorFrom(const nlohmann::json &json);
headlight::core::Scale scaleFrom(const nlohmann::json &json);
headlight::core::MaskLayers masksFrom(const nlohmann::json &json);

/// Reads a whole transformer, the "model" of a file of tests/data/transformer, and its input.
headlight::core::Model transformerFrom(const nlohmann::json &model);
headlight::core::Input transformerInputFrom(const nlohmann::json &document);

/// Reads the single layer of attention of a file of tests/data/attention, and its input.
headlight::core::Model attentionModelFrom(const nlohmann::json &document);
headlight::core::Input attentionInputFrom(const nlohmann::json &document);

/// Returns the largest deviation, relative to the largest number of `theirs` if that exceeds
/// `floor`. Hidden scores (`hidden`) must match exactly and are ignored otherwise. Zeros must match
/// exactly if `exactZeros`.
double deviationOf(const headlight::core::Tensor &ours, const nlohmann::json &theirs,
                   double floor = 1, bool exactZeros = false,
                   double hidden = -std::numeric_limits<double>::infinity());
