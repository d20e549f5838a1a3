// Decoders for tokens that are bytes.
#include "core/tokenizers/decoders/decoder.h"
#include "core/tokenizers/text/byte_alphabet.h"
#include "core/tokenizers/text/piece.h"
#include "core/tokenizers/text/unicode.h"

#include <algorithm>
#include <optional>

namespace headlight::core {

namespace {

constexpr std::string_view kUnreadable = "\uFFFD";

class ByteLevelDecoder : public Decoder {
  public:
    Result<std::vector<std::string>> decoded(std::vector<std::string> tokens,
                                             StopCheck &stop) const override {
        std::string bytes;
        for (const std::string &token : tokens) {
            stop.throwIfRequested();
            bytes += bytesOf(token);
        }
        return std::vector<std::string>{asUtf8(std::move(bytes))};
    }

  private:
    static std::string bytesOf(const std::string &token) {
        std::string bytes;
        for (std::size_t at = 0; at < token.size();) {
            const Character character = characterAt(token, at);
            const auto byte = byteOfCharacter(character.code);
            if (!byte)
                return token;
            bytes += static_cast<char>(*byte);
            at += character.size;
        }
        return bytes;
    }
};

std::optional<unsigned> digitOf(char character) {
    if (character >= '0' && character <= '9')
        return static_cast<unsigned>(character - '0');
    const char lower = static_cast<char>(character | 0x20);
    return lower >= 'a' && lower <= 'f' ? std::optional(static_cast<unsigned>(lower - 'a' + 10))
                                        : std::nullopt;
}

/// Parses a token such as "<0xE2>".
std::optional<char> byteIn(std::string_view token) {
    if (token.size() != 6 || !token.starts_with("<0x") || !token.ends_with('>'))
        return std::nullopt;
    const auto high = digitOf(token[3]), low = digitOf(token[4]);
    return high && low ? std::optional(static_cast<char>(*high * 16 + *low)) : std::nullopt;
}

class ByteFallbackDecoder : public Decoder {
  public:
    Result<std::vector<std::string>> decoded(std::vector<std::string> tokens,
                                             StopCheck &stop) const override {
        std::vector<std::string> made;
        std::string bytes;
        const auto putBytes = [&] {
            if (!bytes.empty() && firstInvalidByte(bytes))
                made.insert(made.end(), bytes.size(), std::string(kUnreadable));
            else if (!bytes.empty())
                made.push_back(bytes);
            bytes.clear();
        };
        for (std::string &token : tokens) {
            stop.throwIfRequested();
            if (const auto byte = byteIn(token)) {
                bytes += *byte;
                continue;
            }
            putBytes();
            made.push_back(std::move(token));
        }
        putBytes();
        return made;
    }
};

} // namespace

DecoderPointer byteLevelDecoder() {
    return std::make_shared<ByteLevelDecoder>();
}

DecoderPointer byteFallbackDecoder() {
    return std::make_shared<ByteFallbackDecoder>();
}

} // namespace headlight::core
