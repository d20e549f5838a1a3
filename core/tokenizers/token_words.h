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

} // namespace headlight::core
