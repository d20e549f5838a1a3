#include "core/formats/pretrained/folder_reader.h"

namespace headlight::core {

namespace {

class FolderReader final : public TextReader {
  public:
    explicit FolderReader(FolderTexts texts) : m_texts(std::move(texts)) {}

    Result<TokenizedText> read(Stack stack, std::string_view text,
                               std::stop_token stop) const override {
        const bool isDecoder = stack == Stack::Decoder;
        const Tokenizer &tokenizer = isDecoder ? *m_texts.targetTokenizer : *m_texts.tokenizer;
        const Vocabulary &words = isDecoder ? *m_texts.targetWords : *m_texts.words;
        const auto special = isDecoder ? SpecialTokens::LeftOut : SpecialTokens::Added;
        const Result<std::vector<Token>> tokens = tokenizer.encode(text, special, std::move(stop));
        if (!tokens)
            return tokens.error();
        TokenizedText made{{}, std::string(text), false};
        if (isDecoder && m_texts.decoderStart && *m_texts.decoderStart < words.size())
            made.tokens.push_back(words.token(*m_texts.decoderStart));
        for (const Token &token : *tokens) {
            const Index id = token.id.value_or(0);
            if (id >= words.size())
                return Error{{"its tokenizer makes the token %1, and the model has %2 words", id,
                              words.size()},
                             m_texts.folder,
                             "look whether the tokenizer belongs to this model"};
            made.tokens.push_back(words.token(id));
            made.tokens.back().span = token.span;
        }
        return made;
    }

  private:
    FolderTexts m_texts;
};

} // namespace

TextReaderPointer makeTextReader(FolderTexts texts) {
    return std::make_shared<const FolderReader>(std::move(texts));
}

} // namespace headlight::core
