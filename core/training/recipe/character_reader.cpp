#include "core/training/recipe/character_reader.h"

#include "core/cancelled.h"
#include "core/tokenizers/tokenizer.h"

#include <algorithm>

namespace headlight::core {

namespace {

constexpr std::string_view kSpace = "␣";
constexpr std::string_view kLineEnd = "↵";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::size_t lengthOfCharacter(char first) {
    const auto byte = static_cast<unsigned char>(first);
    return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

class CharacterReader final : public TextReader {
  public:
    explicit CharacterReader(VocabularyPointer vocabulary) : m_vocabulary(std::move(vocabulary)) {}

    Result<TokenizedText> read(Stack, std::string_view text, std::stop_token stop) const override {
        if (stop.stop_requested())
            return cancelled();
        if (const Outcome good = checkText(text); !good)
            return good.error();
        TokenizedText made;
        made.text = std::string(text);
        forEachCharacter(text, [&made](std::string_view character, std::size_t begin) {
            const auto end = static_cast<Index>(begin + character.size());
            made.tokens.push_back({std::string(shownCharacter(character)), std::nullopt,
                                   TextSpan{static_cast<Index>(begin), end}});
        });
        if (made.tokens.empty())
            return Error{"it contains no characters", "text", "type at least one"};
        return made;
    }

    std::string textOf(Stack, std::span<const Index> ids) const override {
        std::string text;
        for (const Index id : ids) {
            const std::string &word = m_vocabulary->word(id);
            text += word == kSpace ? " " : word == kLineEnd ? "\n" : word;
        }
        return text;
    }

  private:
    VocabularyPointer m_vocabulary;
};

} // namespace

std::string_view shownCharacter(std::string_view character) {
    return character == " " ? kSpace : character == "\n" ? kLineEnd : character;
}

void forEachCharacter(std::string_view text,
                      const std::function<void(std::string_view, std::size_t)> &take) {
    std::size_t at = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    while (at < text.size()) {
        const std::size_t length = std::min(lengthOfCharacter(text[at]), text.size() - at);
        if (!text.substr(at).starts_with("\r\n"))
            take(text.substr(at, length), at);
        at += length;
    }
}

TextReaderPointer characterReader(VocabularyPointer vocabulary) {
    return std::make_shared<const CharacterReader>(std::move(vocabulary));
}

} // namespace headlight::core
