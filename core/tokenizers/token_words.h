// The tokens of a model's own vocabulary as a person reads them.
#pragma once

#include "core/tokenizers/tokenizer.h"

#include <string>
#include <vector>

namespace headlight::core {

/// `count` words by id: of a byte-level vocabulary (GPT-2's) the bytes as text, of a SentencePiece
/// one its spaces. Bytes that are no character by themselves are written as "<0xE2>", ids that have
/// no token as "<17>". Null: there is no tokenizer, and each word is its id, "17".
std::vector<std::string> wordsOf(const Tokenizer *tokenizer, Index count);

} // namespace headlight::core
