#include "core/analysis/special_tokens.h"

#include <algorithm>

namespace headlight::core {

std::string_view withoutWordMarks(std::string_view token) {
    for (const std::string_view mark : {"Ġ", "▁", "##", " "})
        while (token.starts_with(mark) && token.size() > mark.size())
            token.remove_prefix(mark.size());
    return token;
}

bool marksBeginning(std::string_view token) {
    return token.starts_with("Ġ") || token.starts_with("▁") || token.starts_with(' ');
}

bool areBeginningsMarked(std::span<const Token> tokens) {
    return std::ranges::any_of(tokens,
                               [](const Token &token) { return marksBeginning(token.text); });
}

bool isWrittenAsSpecial(std::string_view token) {
    const bool isByte = token.starts_with("<0x"); // a byte of a byte-level vocabulary
    return token.size() > 2 && !isByte &&
           ((token.front() == '[' && token.back() == ']') ||
            (token.front() == '<' && token.back() == '>'));
}

} // namespace headlight::core
