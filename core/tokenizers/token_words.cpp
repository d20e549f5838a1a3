#include "core/tokenizers/token_words.h"

#include "core/tokenizers/text/byte_alphabet.h"
#include "core/tokenizers/text/piece.h"
#include "core/tokenizers/text/unicode.h"

#include <algorithm>
#include <optional>

namespace headlight::core {

namespace {

constexpr std::string_view kMetaspace = "\u2581"; // SentencePiece's visible space

std::string codeOf(unsigned char byte) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    return {'<', '0', 'x', digits[byte >> 4], digits[byte & 15], '>'};
}

/// True for a byte-level vocabulary: more than 1 % of the words start with its space character.
bool isOfBytes(const std::vector<std::string> &words) {
    const std::string &space = characterOfByte(' ');
    const auto count = std::ranges::count_if(
        words, [&space](const std::string &word) { return word.starts_with(space); });
    return count * 100 > std::ssize(words);
}

bool isVisible(unsigned char byte) {
    return (byte >= 0x20 && byte != 0x7F) || byte == '\n' || byte == '\t';
}

/// Copies valid characters and replaces other bytes with their codes.
std::string asText(std::string_view bytes) {
    std::string text;
    while (!bytes.empty()) {
        const auto byte = static_cast<unsigned char>(bytes.front());
        const std::size_t length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
        const std::string_view piece = bytes.substr(0, length);
        const bool isText = isVisible(byte) && !firstInvalidByte(piece);
        text += isText ? std::string(piece) : codeOf(byte);
        bytes.remove_prefix(isText ? length : 1);
    }
    return text;
}

/// Returns the bytes that the characters represent; unset if a character represents none.
std::optional<std::string> bytesOf(std::string_view word) {
    std::string bytes;
    for (std::size_t at = 0; at < word.size();) {
        const Character character = characterAt(word, at);
        const auto byte = byteOfCharacter(character.code);
        if (!byte)
            return std::nullopt;
        bytes += static_cast<char>(*byte);
        at += character.size;
    }
    return bytes;
}

/// Returns the text of the bytes; `word` unchanged if a character represents none.
std::string fromBytes(const std::string &word) {
    const auto bytes = bytesOf(word);
    return bytes ? asText(*bytes) : word;
}

std::string withSpaces(std::string word) {
    for (auto at = word.find(kMetaspace); at != word.npos; at = word.find(kMetaspace, at + 1))
        word.replace(at, kMetaspace.size(), " ");
    return word;
}

/// True for "</s>" and "<|endoftext|>", which may contain any characters.
bool isSpecial(std::string_view token) {
    return token.size() > 2 && token.front() == '<' && token.back() == '>';
}

/// True if the tokens of the text are certainly from a byte-level vocabulary: all are of its
/// alphabet, and together they are text without control characters.
bool isTextOfBytes(const std::vector<std::string> &tokens) {
    std::string text;
    for (const std::string &token : tokens) {
        if (isSpecial(token))
            continue;
        const auto bytes = bytesOf(token);
        if (!bytes)
            return false;
        text += *bytes;
    }
    return !firstInvalidByte(text) && std::ranges::all_of(text, [](char c) {
        return isVisible(static_cast<unsigned char>(c)) || c == '\r';
    });
}

} // namespace

std::vector<std::string> wordsOf(const Tokenizer *tokenizer, Index count) {
    std::vector<std::string> words;
    words.reserve(static_cast<std::size_t>(count));
    for (Index id = 0; id < count; ++id)
        words.push_back(!tokenizer               ? std::to_string(id)
                        : id < tokenizer->size() ? tokenizer->textOf(id)
                                                 : std::string());
    if (!tokenizer)
        return words;
    const bool areBytes = isOfBytes(words);
    for (Index id = 0; id < count; ++id) {
        std::string &word = words[static_cast<std::size_t>(id)];
        if (firstInvalidByte(word))
            word = asText(word);
        word = word.empty() ? "<" + std::to_string(id) + ">"
               : areBytes   ? fromBytes(word)
                            : withSpaces(std::move(word));
    }
    return words;
}

std::vector<std::vector<std::string>> readableTokens(std::vector<std::vector<std::string>> texts) {
    const auto begins = [&texts](std::string_view mark) {
        return std::ranges::any_of(texts, [mark](const std::vector<std::string> &tokens) {
            return std::ranges::any_of(
                tokens, [mark](const std::string &token) { return token.starts_with(mark); });
        });
    };
    const bool areBytes = begins(characterOfByte(' ')) && std::ranges::all_of(texts, isTextOfBytes);
    const bool haveMetaspaces = begins(kMetaspace) && !begins(" ") && !begins(characterOfByte(' '));
    if (!areBytes && !haveMetaspaces)
        return texts;
    for (std::vector<std::string> &tokens : texts)
        for (std::string &token : tokens)
            token = isSpecial(token) ? std::move(token)
                    : areBytes       ? fromBytes(token)
                                     : withSpaces(std::move(token));
    return texts;
}

} // namespace headlight::core
