// The rest of a word whose first piece a model predicts: tokens of many models are pieces of words.
#pragma once

#include "core/generation/generator.h"

#include <string>
#include <vector>

namespace headlight::core {

struct RestOfWord {
    std::vector<Index> ids; ///< the pieces after the first
    std::string text;       ///< of these pieces
    bool isWhole = true;    ///< false: the word has not ended after kMostPieces of them
    bool operator==(const RestOfWord &) const = default;
};

inline constexpr std::size_t kMostPieces = 6;

/// True if a piece with this text continues a word that ends with `before`. Letters, digits and
/// marks continue one; Chinese, Japanese and Thai characters do not, since their words have no
/// spaces.
bool continuesWord(std::string_view before, std::string_view piece);

/// Appends `first` to the generator's text and then its own tokens, until one begins another word.
/// There is no rest if `first` ends with a sign, or if the model has no tokenizer, so that its
/// tokens are words. Errors: those of Generator::next().
Result<RestOfWord> restOfWord(Generator generator, Index first, const std::stop_token &stop = {});

} // namespace headlight::core
