// Test helpers for pieces of text and their origins.
#pragma once

#include "core/cancelled.h"
#include "core/tokenizers/text/piece.h"
#include "core/tokenizers/tokenizer.h"

#include <doctest/doctest.h>

namespace headlight::core::test {

inline std::vector<std::string> textsOf(const std::vector<TextPiece> &pieces) {
    std::vector<std::string> texts;
    for (const TextPiece &piece : pieces) {
        CHECK(piece.origins.size() == piece.text.size());
        texts.push_back(piece.text);
    }
    return texts;
}

/// Returns the source text that a piece's bytes come from.
inline std::string sourceOf(const TextPiece &piece, std::string_view text) {
    const Origin origin = piece.originOf(0, piece.size());
    return std::string(text.substr(origin.begin, origin.end - origin.begin));
}

inline std::vector<Index> idsOf(const std::vector<Token> &tokens) {
    std::vector<Index> ids;
    for (const Token &token : tokens)
        ids.push_back(token.id.value_or(-1));
    return ids;
}

inline std::vector<std::string> placesOf(const std::vector<Token> &tokens, std::string_view text) {
    std::vector<std::string> places;
    for (const Token &token : tokens)
        places.push_back(token.span
                             ? std::string(text.substr(
                                   static_cast<std::size_t>(token.span->begin),
                                   static_cast<std::size_t>(token.span->end - token.span->begin)))
                             : std::string("-"));
    return places;
}

using Texts = std::vector<std::string>;
using Ids = std::vector<Index>;

} // namespace headlight::core::test
