// The parts of a session as the JSON that its readers take: each function is one reader's other
// direction. Equal parts give equal text.
#pragma once

#include "core/formats/json/text.h"
#include "core/formats/session/data/session.h"

#include <span>

namespace headlight::core {

/// Matrices up to this many numbers are written as rows, larger ones as base64.
inline constexpr Index kMaximumWrittenNumbers = 4096;

/// Rows on lines of their own where there is a `separator`.
std::string textOf(const ParameterMatrix &matrix, const std::string &separator = {});
std::string textOf(std::span<const float> numbers);
/// One row: a bias or a gain as a list, anything else as a matrix.
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
/// Its length is always said, so that it stays whatever the session's own is; where a
/// `minimumLength` is given, that one is said if the batch can be read from it.
std::string textOf(const Batch &batch, std::optional<Index> minimumLength = {});
std::string textOf(const Recipe &recipe);
std::string textOf(const TrainingRun &run, const std::string &separator = {});
std::string textOf(const Lesson &lesson, const std::string &separator = {});
/// {"base64": …} with the shape, whatever its size.
std::string base64Text(const ParameterMatrix &matrix);
/// As a number, or as a text where a number could lose digits.
std::string seedText(std::uint64_t seed);

/// The value of `mask_value`.
std::string maskValueText(float value);

/// The version of the format that says all of it: the second has what the first one lacks.
int formatVersionOf(const Config &config);
int formatVersionOf(const Model &model); ///< its config and its vocabularies
int formatVersionOf(const Batch &batch);
int formatVersionOf(const Input &input);
int formatVersionOf(const StatePatch &said);
int formatVersionOf(const SelectionPatch &said);
int formatVersionOf(const Lesson &lesson);

/// The sizes and switches of `model` that are not the usual ones; of an encoder's none.
std::vector<JsonMemberText> membersOf(const Config &config);
/// What an encoder has otherwise than its decoder.
std::vector<JsonMemberText> membersOf(const EncoderSizes &sizes);

/// The members of `set`, `view` and `now`: those that say something.
std::vector<JsonMemberText> membersOf(const StatePatch &patch);
std::vector<JsonMemberText> membersOf(const SelectionPatch &patch);

} // namespace headlight::core
