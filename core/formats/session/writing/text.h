// Writes the parts of a session as JSON; each function is the inverse of a reader. Equal parts give
// equal text.
#pragma once

#include "core/formats/json/text.h"
#include "core/formats/session/data/session.h"

#include <span>

namespace headlight::core {

/// Larger matrices are written as base64 instead of rows.
inline constexpr Index kMaximumWrittenNumbers = 4096;

/// Writes each row on a line of its own if there is a `separator`.
std::string textOf(const ParameterMatrix &matrix, const std::string &separator = {});
std::string textOf(std::span<const float> numbers);
/// Writes a bias or gain as a list, other parameters as a matrix.
std::string textOf(ParameterKind kind, const ParameterMatrix &parameter,
                   const std::string &separator = {});
std::string textOf(bool flag);
std::string textOf(float number);
std::string textOf(const Scale &scale);
std::string textOf(const Softcap &cap);
std::string textOf(const std::vector<Index> &windows);
std::string textOf(Positions positions);
std::string textOf(SinusoidOrder order);
std::string textOf(const Norm &norm);
std::string textOf(QueryKeyNorm norm);
std::string textOf(const FeedForward &feedForward);
std::string textOf(const RotaryConfig &rotary);
std::string textOf(const RelativeConfig &relative);
std::string textOf(const OutputLayer &head);
std::string textOf(const MaskLayers &layers);
std::string textOf(const Interventions &interventions);
std::string textOf(const SoftmaxLook &look);
/// Always writes a length, so that it does not depend on the session's. Writes `minimumLength`
/// instead, if given and the batch can be restored from it.
std::string textOf(const Batch &batch, std::optional<Index> minimumLength = {});
std::string textOf(const Recipe &recipe);
std::string textOf(const TrainingRun &run, const std::string &separator = {});
std::string textOf(const Lesson &lesson, const std::string &separator = {});
/// Writes {"base64": …} with the shape, for any size.
std::string base64Text(const ParameterMatrix &matrix);
/// Writes a number, or a string if a number could lose digits.
std::string seedText(std::uint64_t seed);

std::string maskValueText(float value);

/// Returns the lowest format version that can represent the value.
int formatVersionOf(const Config &config);
int formatVersionOf(const Model &model); ///< its config and vocabularies
int formatVersionOf(const Batch &batch);
int formatVersionOf(const Input &input);
int formatVersionOf(const StatePatch &said);
int formatVersionOf(const SelectionPatch &said);
int formatVersionOf(const Lesson &lesson);

/// Returns the sizes and switches of `model` that differ from the defaults; none of an encoder's.
std::vector<JsonMemberText> membersOf(const Config &config);
/// Returns the encoder sizes that differ from the decoder's.
std::vector<JsonMemberText> membersOf(const EncoderSizes &sizes);

/// Returns the members of `set`, `view` and `now` that are set.
std::vector<JsonMemberText> membersOf(const StatePatch &patch);
std::vector<JsonMemberText> membersOf(const SelectionPatch &patch);

} // namespace headlight::core
