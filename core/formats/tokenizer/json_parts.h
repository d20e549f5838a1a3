// Readers of the parts of a tokenizer.json. Each reports problems in its field's Reading and
// returns no value after a problem.
#pragma once

#include "core/formats/fields/fields.h"
#include "core/tokenizers/pipeline.h"

namespace headlight::core {

/// Return null after a problem, and for a null field, which means no processing.
NormalizerPointer readNormalizer(const Field &field);
PreTokenizerPointer readPreTokenizer(const Field &field);
DecoderPointer readDecoder(const Field &field);
/// Returns null after a problem.
TokenModelPointer readTokenModel(const Field &field);
PostProcessing readPostProcessing(const Field &field);
std::vector<AddedToken> readAddedTokens(const Field &field);

Metaspace readMetaspace(const Field &field);
std::optional<char32_t> readCharacter(const Field &field);
/// Reads {"String": …}, {"Regex": …} or a plain string.
std::optional<Pattern> readPattern(const Field &field);
/// Returns the field's value, or `otherwise` if it is missing or null.
bool readFlag(const Field &field, bool otherwise);
/// Returns nullopt if the field is missing or null.
std::optional<std::string> readOptionalText(const Field &field);

} // namespace headlight::core
