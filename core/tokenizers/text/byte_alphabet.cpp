#include "core/tokenizers/text/byte_alphabet.h"

#include "core/tokenizers/text/piece.h"

#include <array>

namespace headlight::core {

namespace {

constexpr bool isVisibleByte(int byte) {
    return (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) ||
           (byte >= 0xAE && byte <= 0xFF);
}

/// Bytes without a visible character get U+0100 and the characters after it, in order.
constexpr std::array<char32_t, 256> makeAlphabet() {
    std::array<char32_t, 256> alphabet{};
    char32_t next = 0x100;
    for (int byte = 0; byte < 256; ++byte)
        alphabet[static_cast<std::size_t>(byte)] =
            isVisibleByte(byte) ? static_cast<char32_t>(byte) : next++;
    return alphabet;
}

constexpr std::array<char32_t, 256> kAlphabet = makeAlphabet();

} // namespace

const std::string &characterOfByte(unsigned char byte) {
    static const std::array<std::string, 256> texts = [] {
        std::array<std::string, 256> made;
        for (std::size_t i = 0; i < made.size(); ++i)
            appendUtf8(made[i], kAlphabet[i]);
        return made;
    }();
    return texts[byte];
}

std::optional<unsigned char> byteOfCharacter(char32_t character) {
    for (std::size_t i = 0; i < kAlphabet.size(); ++i)
        if (kAlphabet[i] == character)
            return static_cast<unsigned char>(i);
    return std::nullopt;
}

} // namespace headlight::core
