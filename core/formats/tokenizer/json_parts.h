// The readers of the parts of a tokenizer.json. Each notes what is wrong in its field's Reading and
// returns nothing then.
#pragma once

#include "core/formats/fields/fields.h"
#include "core/tokenizers/pipeline.h"

namespace headlight::core {

/// Null for null, which asks for nothing to be done; the reading has a problem where it is wrong.
NormalizerPointer readNormalizer(const Field &field);
PreTokenizerPointer readPreTokenizer(const Field &field);
DecoderPointer readDecoder(const Field &field);
/// Null after a problem.
TokenModelPointer readTokenModel(const Field &field);
/// `tokens` are those that the file adds to the model's.
PostProcessing readPostProcessing(const Field &field);
std::vector<AddedToken> readAddedTokens(const Field &field);

Metaspace readMetaspace(const Field &field);
/// A text of one character.
std::optional<char32_t> readCharacter(const Field &field);
/// {"String": …} or {"Regex": …}, or a text by itself.
std::optional<Pattern> readPattern(const Field &field);
/// What is said, or `otherwise` where nothing (or null) is.
bool readFlag(const Field &field, bool otherwise);
/// Nothing, or null, is no text.
std::optional<std::string> readOptionalText(const Field &field);

} // namespace headlight::core
