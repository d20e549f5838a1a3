#include "core/formats/pretrained/folder_reader.h"

namespace headlight::core {

namespace {

/// It has an id where the model would look its text up as another word.
Token tokenOf(const StackTexts &texts, Index id) {
    const std::string &text = texts.words->word(id);
    return {text, texts.known->idOf(text) == id ? std::nullopt : std::optional(id)};
}

class FolderReader final : public TextReader {
  public:
    explicit FolderReader(FolderTexts texts) : m_texts(std::move(texts)) {}

    Result<TokenizedText> read(Stack stack, std::string_view text,
                               std::stop_token stop) const override {
        const bool isDecoder = stack == Stack::Decoder;
        const StackTexts &texts = of(stack);
        if (!texts.tokenizer)
            return texts.tokenizer.error();
        const auto special = isDecoder ? SpecialTokens::LeftOut : SpecialTokens::Added;
        const auto tokens = (*texts.tokenizer)->encode(text, special, std::move(stop));
        if (!tokens)
            return tokens.error();
        TokenizedText made{{}, std::string(text), false};
        if (isDecoder && m_texts.decoderStart && *m_texts.decoderStart < texts.words->size())
            made.tokens.push_back(tokenOf(texts, *m_texts.decoderStart));
        for (const Token &token : *tokens) {
            const Index id = token.id.value_or(0);
            if (id >= texts.words->size())
                return Error{{"its tokenizer makes the token %1, and the model has %2 words", id,
                              texts.words->size()},
                             m_texts.folder,
                             "look whether the tokenizer belongs to this model"};
            made.tokens.push_back(tokenOf(texts, id));
            made.tokens.back().span = token.span;
        }
        return made;
    }

    std::string textOf(Stack stack, std::span<const Index> ids) const override {
        const StackTexts &texts = of(stack);
        if (texts.tokenizer)
            if (auto text = (*texts.tokenizer)->decode(ids, SpecialTokens::LeftOut))
                return *std::move(text);
        std::string text; // as good as it gets
        for (const Index id : ids)
            if (id >= 0 && id < texts.words->size())
                text += (text.empty() ? "" : " ") + texts.words->word(id);
        return text;
    }

  private:
    const StackTexts &of(Stack stack) const {
        return stack == Stack::Decoder ? m_texts.decoder : m_texts.main;
    }

    FolderTexts m_texts;
};

} // namespace

TextReaderPointer makeTextReader(FolderTexts texts) {
    return std::make_shared<const FolderReader>(std::move(texts));
}

} // namespace headlight::core
