#include "core/tokenizers/text/piece.h"

#include <cassert>
#include <unicode/utf8.h>

namespace headlight::core {

Error tooLongPiece() {
    return {{"the tokenizer turns it into more than %1 MB", kMaxPieceBytes >> 20},
            "",
            "use a shorter text, or a tokenizer that you trust"};
}

TextPiece TextPiece::part(std::size_t begin, std::size_t end) const {
    assert(begin <= end && end <= size());
    return {text.substr(begin, end - begin),
            {origins.begin() + static_cast<std::ptrdiff_t>(begin),
             origins.begin() + static_cast<std::ptrdiff_t>(end)}};
}

Origin TextPiece::originOf(std::size_t begin, std::size_t end) const {
    assert(begin <= end && end <= size() && !empty());
    if (begin == end) {
        const std::uint32_t at = begin < size() ? origins[begin].begin : origins.back().end;
        return {at, at};
    }
    return {origins[begin].begin, origins[end - 1].end};
}

TextPiece pieceOf(std::string_view text) {
    TextPiece piece{std::string(text), std::vector<Origin>(text.size())};
    // The origin of a byte is the whole character, because no token starts inside a character.
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t size = characterAt(text, at).size;
        const Origin origin{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + size)};
        for (std::size_t byte = 0; byte < size; ++byte)
            piece.origins[at + byte] = origin;
        at += size;
    }
    return piece;
}

TextPieceWriter::TextPieceWriter(const TextPiece &from) : m_from(from) {
    m_to.text.reserve(from.size());
    m_to.origins.reserve(from.size());
}

void TextPieceWriter::keep(std::size_t begin, std::size_t end) {
    m_to.text.append(m_from.text, begin, end - begin);
    m_to.origins.insert(m_to.origins.end(),
                        m_from.origins.begin() + static_cast<std::ptrdiff_t>(begin),
                        m_from.origins.begin() + static_cast<std::ptrdiff_t>(end));
}

void TextPieceWriter::put(std::string_view text, std::size_t begin, std::size_t end) {
    Origin origin;
    if (begin < end)
        origin = m_from.originOf(begin, end);
    else if (begin < m_from.size())
        origin = m_from.origins[begin];
    else if (begin > 0)
        origin = m_from.origins[begin - 1];
    m_to.text.append(text);
    m_to.origins.insert(m_to.origins.end(), text.size(), origin);
}

Character characterAt(std::string_view text, std::size_t at) {
    assert(at < text.size());
    const auto *bytes = reinterpret_cast<const std::uint8_t *>(text.data());
    if (bytes[at] < 0x80)
        return {bytes[at], 1};
    std::size_t next = at;
    UChar32 code = 0;
    U8_NEXT_OR_FFFD(bytes, next, text.size(), code);
    return {static_cast<char32_t>(code), next - at};
}

void appendUtf8(std::string &text, char32_t code) {
    char bytes[U8_MAX_LENGTH];
    std::size_t length = 0;
    U8_APPEND_UNSAFE(bytes, length, static_cast<UChar32>(code));
    text.append(bytes, length);
}

} // namespace headlight::core
