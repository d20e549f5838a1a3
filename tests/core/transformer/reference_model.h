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

/// Reads {"shape", "values"}. A vector becomes a matrix of one row.
headlight::core::Parameter matrixFrom(const nlohmann::json &json);
headlight::core::Tensor tensorFrom(const nlohmann::json &json);
/// Reads the masks of all kinds from a file into the input.
void readMasksInto(headlight::core::Input &input, const nlohmann::json &document,
                   const headlight::core::Model &model);

/// Reads the "model" of generation.json or of a file of tests/data/attention, transformer or
/// training, and the input of such a file.
headlight::core::Model transformerFrom(const nlohmann::json &model);
headlight::core::Input transformerInputFrom(const nlohmann::json &document,
                                            const headlight::core::Model &model);

/// Returns the largest deviation, relative to the largest number of `theirs`, or to `floor` if that
/// is larger. Hidden scores (`hidden`) must match exactly and are ignored otherwise. Zeros must
/// match exactly if `exactZeros`.
double deviationOf(const headlight::core::Tensor &ours, const nlohmann::json &theirs,
                   double floor = 1, bool exactZeros = false,
                   double hidden = -std::numeric_limits<double>::infinity());
