// Converts the tokens of a model's own vocabulary to readable texts.
#pragma once

#include "core/tokenizers/tokenizer.h"

#include <string>
#include <vector>

namespace headlight::core {

/// Returns `count` texts, by id. Byte-level vocabularies (GPT-2) are decoded to text, and
/// SentencePiece's space character becomes a space. Bytes that do not form a character become
/// "<0xE2>", ids without a token "<17>". If `tokenizer` is null, each text is just the id: "17".
std::vector<std::string> wordsOf(const Tokenizer *tokenizer, Index count);

/// Returns tokens in the form of wordsOf() if their marks are those of a byte-level vocabulary
/// ("Ġcat") or of SentencePiece ("▁cat"). The tokens come from other programs, without their
/// vocabulary, so they are returned unchanged if the marks are missing, mixed, or may be letters of
/// the text. `texts` has a list of tokens for each text, all from the same tokenizer.
std::vector<std::vector<std::string>> readableTokens(std::vector<std::vector<std::string>> texts);

} // namespace headlight::core
