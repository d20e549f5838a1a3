// Finds words of a vocabulary by the text that a user types, without the space before a word.
#pragma once

#include "core/transformer/model/vocabulary.h"

#include <optional>
#include <string_view>
#include <vector>

namespace headlight::core {

/// Returns the id of the word with this text. The text need not include the space, "Ġ" or "▁" that
/// a tokenizer puts before a word; a word without such a character takes precedence.
std::optional<Index> wordNamed(const Vocabulary &words, std::string_view text);

/// Returns the ids of at most `count` words that begin with the text, which need not include the
/// tokenizer's character before a word. Exact matches come first, then the others by id. Empty for
/// an empty text.
std::vector<Index> wordsBeginningWith(const Vocabulary &words, std::string_view text,
                                      std::size_t count);

} // namespace headlight::core
