// Writes those parts of a session as JSON that have no field table (data/fields.h). Each function
// is the inverse of a reader. Equal parts result in equal text.
#pragma once

#include "core/formats/json/text.h"
#include "core/formats/session/data/session.h"

#include <span>

namespace headlight::core {

/// Maximum number of values to write as rows; larger matrices are written as base64.
inline constexpr Index kMaxWrittenNumbers = 4096;

/// If `separator` is not empty, it is written before each row.
std::string textOf(const ParameterMatrix &matrix, const std::string &separator = {});
std::string textOf(std::span<const float> numbers);
/// Writes a bias or gain as a list, other parameters as a matrix.
std::string textOf(ParameterKind kind, const ParameterMatrix &parameter,
                   const std::string &separator = {});
std::string textOf(const MaskLayers &layers);
std::string textOf(const Interventions &interventions);
/// Writes the batch's length, so that it does not depend on the session's default. Writes
/// `minimumLength` instead, if it is given and restores the same batch.
std::string textOf(const Batch &batch, std::optional<Index> minimumLength = {});
/// Returns all parameters as base64.
std::string textOf(const ModelParameters &numbers, const std::string &separator = {});
/// Returns one list per curve. Omits points with a NaN or infinite value.
std::string textOf(const History &history, const std::string &separator = {});
/// Returns {"base64": …} with the shape, for any size. `type`: F32, or F16, to which the numbers
/// are rounded.
std::string base64Text(const ParameterMatrix &matrix, NumberType type = NumberType::F32);
/// Returns a number, or a string if a number could lose digits.
std::string seedText(std::uint64_t seed);

/// Returns the value of a switch as JSON.
std::string textOfSwitch(const Config &config, std::string_view name);

/// Returns the lowest format version that can represent the value.
int formatVersionOf(const Config &config);
int formatVersionOf(const Model &model); ///< also checks parameters and vocabularies
int formatVersionOf(const Batch &batch);
int formatVersionOf(const Input &input);
int formatVersionOf(const StatePatch &patch);
int formatVersionOf(const SelectionPatch &patch);
int formatVersionOf(const Lesson &lesson);

/// Returns the members of `set` that the patch sets.
std::vector<JsonMemberText> membersOf(const StatePatch &patch);

} // namespace headlight::core
