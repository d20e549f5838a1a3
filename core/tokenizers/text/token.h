// A token: one input position of a model.
#pragma once

#include "core/tensor/matrix.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headlight::core {

/// A byte range of a text; `end` is exclusive.
struct TextSpan {
    Index begin = 0;
    Index end = 0;
    bool operator==(const TextSpan &) const = default;
};

struct Token {
    std::string text; ///< text for display
    /// Row of the embedding matrix. Set if looking up the text in the vocabulary would find another
    /// row, because two entries have the same text. Unset if embeddings are given per word.
    std::optional<Index> id{};
    /// Byte range in the text of its sequence, if the token comes from that text.
    std::optional<TextSpan> span{};
    /// True if the model generated it.
    bool isWritten = false;

    bool operator==(const Token &) const = default;
};

/// True if both tokens look up the same embedding.
inline bool readAlike(const Token &a, const Token &b) {
    return a.text == b.text && a.id == b.id;
}

/// Creates tokens that have only a text.
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
