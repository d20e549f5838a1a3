// What a model reads one of at a time.
#pragma once

#include "core/tensor/matrix.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headlight::core {

/// Bytes of a text; `end` is behind them.
struct TextSpan {
    Index begin = 0;
    Index end = 0;
    bool operator==(const TextSpan &) const = default;
};

struct Token {
    std::string text; ///< as it is shown
    /// Its row of the embedding matrix, where that is not the one that the vocabulary has for its
    /// text: two words of a vocabulary may read alike. A model of words' own vectors has none.
    std::optional<Index> id{};
    /// Where it stands in the text of its sequence, if it does.
    std::optional<TextSpan> span{};
    /// The model chose it: nobody typed it.
    bool isWritten = false;

    bool operator==(const Token &) const = default;
};

/// The same is looked up for both, wherever they stand.
inline bool readAlike(const Token &a, const Token &b) {
    return a.text == b.text && a.id == b.id;
}

/// Tokens of which nothing else is known.
inline std::vector<Token> tokensOf(const std::vector<std::string> &texts) {
    std::vector<Token> tokens;
    tokens.reserve(texts.size());
    for (const std::string &text : texts)
        tokens.push_back({text});
    return tokens;
}

inline std::vector<std::string> textsOf(std::span<const Token> tokens) {
    std::vector<std::string> texts;
    texts.reserve(tokens.size());
    for (const Token &token : tokens)
        texts.push_back(token.text);
    return texts;
}

} // namespace headlight::core
