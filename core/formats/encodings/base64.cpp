#include "core/formats/encodings/base64.h"

#include <bit>
#include <cstdint>

namespace headlight::core {

namespace {

/// Returns the value 0 … 63 of a character, or −1 if it is outside the alphabet.
int sextet(char c) {
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/// Calls `take(byte)` for each byte. Returns false if the text is not base64.
template <typename Take>
bool decode(std::string_view text, const Take &take) {
    if (text.size() % 4 != 0)
        return false;
    for (int padding = 0; padding < 2 && text.ends_with('='); ++padding)
        text.remove_suffix(1);
    std::uint32_t bits = 0; // bits not used yet, most significant first
    int held = 0;
    for (const char c : text) {
        const int six = sextet(c);
        if (six < 0)
            return false;
        bits = (bits << 6 | static_cast<std::uint32_t>(six)) & 0xFFFF;
        held += 6;
        if (held < 8)
            continue;
        held -= 8;
        take(static_cast<unsigned char>(bits >> held & 0xFF));
    }
    return (bits & ((1U << held) - 1)) == 0; // leftover bits must be zero
}

/// Encodes the bits of numbers, each as an unsigned integer of its size.
template <typename Unsigned, typename Number>
std::string textOf(std::span<const Number> numbers) {
    constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((numbers.size() * sizeof(Unsigned) + 2) / 3 * 4);
    std::uint32_t bits = 0; // bits not written yet, most significant first
    int held = 0;
    for (const Number number : numbers) {
        const std::uint32_t word = std::bit_cast<Unsigned>(number);
        for (std::size_t shift = 0; shift < 8 * sizeof(Unsigned); shift += 8) {
            bits = (bits << 8 | (word >> shift & 0xFF)) & 0xFFFF;
            for (held += 8; held >= 6;)
                text += kAlphabet[bits >> (held -= 6) & 63];
        }
    }
    if (held > 0)
        text += kAlphabet[bits << (6 - held) & 63];
    text.append((4 - text.size() % 4) % 4, '=');
    return text;
}

} // namespace

std::optional<std::vector<float>> floatsFromBase64(std::string_view text, std::size_t count) {
    if (text.size() != (count * 4 + 2) / 3 * 4)
        return std::nullopt;
    std::vector<float> floats;
    floats.reserve(count);
    std::uint32_t word = 0; // bytes of the current float, least significant first
    int shift = 0;
    const bool good = decode(text, [&](unsigned char byte) {
        word |= static_cast<std::uint32_t>(byte) << shift;
        shift += 8;
        if (shift == 32) {
            floats.push_back(std::bit_cast<float>(word));
            word = 0;
            shift = 0;
        }
    });
    if (!good || floats.size() != count || shift != 0)
        return std::nullopt;
    return floats;
}

std::optional<std::string> bytesFromBase64(std::string_view text) {
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3);
    const bool good =
        decode(text, [&bytes](unsigned char byte) { bytes += static_cast<char>(byte); });
    return good ? std::optional(std::move(bytes)) : std::nullopt;
}

std::string base64Of(std::span<const float> floats) {
    return textOf<std::uint32_t>(floats);
}

std::string base64Of(std::span<const std::uint16_t> numbers) {
    return textOf<std::uint16_t>(numbers);
}

} // namespace headlight::core
