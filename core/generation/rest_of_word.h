// Completes a word whose first piece a model predicts, because tokens of many models are pieces of
// words.
#pragma once

#include "core/generation/generator.h"

#include <string>
#include <vector>

namespace headlight::core {

struct RestOfWord {
    std::vector<Index> ids; ///< the pieces after the first
    std::string text;       ///< text of these pieces
    bool isWhole = true;    ///< false: the word does not end within kMaxPieces pieces
    bool operator==(const RestOfWord &) const = default;
};

inline constexpr std::size_t kMaxPieces = 6;

/// True if a piece with this text continues a word that ends with `before`. Letters, digits and
/// combining marks continue a word. Chinese, Japanese and Thai characters do not, because these
/// scripts do not separate words by spaces.
bool continuesWord(std::string_view before, std::string_view piece);

/// Appends `first` to the generator's text and then generates tokens until one begins another word.
/// There is no rest if `first` ends with a punctuation mark, or if the model has no tokenizer,
/// because its tokens are then words. Errors: those of Generator::next().
Result<RestOfWord> restOfWord(Generator generator, Index first, const std::stop_token &stop = {});

} // namespace headlight::core
