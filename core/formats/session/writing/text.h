// Writes the parts of a session that have no field table (data/fields.h) as JSON; each function is
// the inverse of a reader. Equal parts give equal text.
#pragma once

#include "core/formats/json/text.h"
#include "core/formats/session/data/session.h"

#include <span>

namespace headlight::core {

/// Larger matrices are written as base64 instead of rows.
inline constexpr Index kMaxWrittenNumbers = 4096;

/// Writes each row on a line of its own if there is a `separator`.
std::string textOf(const ParameterMatrix &matrix, const std::string &separator = {});
std::string textOf(std::span<const float> numbers);
/// Writes a bias or gain as a list, other parameters as a matrix.
std::string textOf(ParameterKind kind, const ParameterMatrix &parameter,
                   const std::string &separator = {});
std::string textOf(const MaskLayers &layers);
std::string textOf(const Interventions &interventions);
/// Always writes a length, so that it does not depend on the session's. Writes `minimumLength`
/// instead, if given and the batch can be restored from it.
std::string textOf(const Batch &batch, std::optional<Index> minimumLength = {});
/// Writes every parameter as base64.
std::string textOf(const ModelParameters &numbers, const std::string &separator = {});
/// Writes one list per curve. Omits points with a NaN or infinite number.
std::string textOf(const History &history, const std::string &separator = {});
/// Writes {"base64": …} with the shape, for any size.
std::string base64Text(const ParameterMatrix &matrix);
/// Writes a number, or a string if a number could lose digits.
std::string seedText(std::uint64_t seed);

/// Returns the value of a switch as JSON.
std::string textOfSwitch(const Config &config, std::string_view name);

/// Returns the lowest format version that can represent the value.
int formatVersionOf(const Config &config);
int formatVersionOf(const Model &model); ///< its config, parameters and vocabularies
int formatVersionOf(const Batch &batch);
int formatVersionOf(const Input &input);
int formatVersionOf(const StatePatch &patch);
int formatVersionOf(const SelectionPatch &patch);
int formatVersionOf(const Lesson &lesson);

/// Returns the members of `set` that are set.
std::vector<JsonMemberText> membersOf(const StatePatch &patch);

} // namespace headlight::core
