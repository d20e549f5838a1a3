// Recognises special tokens and the marks of words by their spelling, because captures have no
// vocabulary.
#pragma once

#include "core/tokenizers/text/token.h"

#include <span>
#include <string_view>

namespace headlight::core {

/// Removes the word marks of tokenizers: "Ġ", "▁", "##", and a space. A token that is only a mark
/// stays unchanged.
std::string_view withoutWordMarks(std::string_view token);

/// True if the token has the mark of a word's beginning: "Ġ", "▁", or a space, which
/// readableTokens() puts in their place.
bool marksBeginning(std::string_view token);
/// True if the tokenizer marks the beginnings of words, so that a token without a mark may continue
/// the word before it even if the positions of the tokens in the text are unknown.
bool areBeginningsMarked(std::span<const Token> tokens);

/// True for "[SEP]" and "</s>", but not for a byte such as "<0x0A>".
bool isWrittenAsSpecial(std::string_view token);

} // namespace headlight::core
