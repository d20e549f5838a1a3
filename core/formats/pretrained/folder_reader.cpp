#include "core/formats/pretrained/folder_reader.h"

#include <algorithm>

namespace headlight::core {

namespace {

/// Returns the token with this id. Stores the id only if looking up its text would find another
/// word.
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
        auto encoded = isDecoder ? encodeOne(*texts.tokenizer, text, SpecialTokens::LeftOut, stop)
                                 : encodeTexts(texts, text, stop);
        if (!encoded)
            return encoded.error();
        TokenizedText made{{}, std::string(text), false, std::move(encoded->types)};
        if (isDecoder)
            for (const Index id : m_texts.decoderStart)
                if (id < texts.words->size())
                    made.tokens.push_back(tokenOf(texts, id));
        for (const Token &token : encoded->tokens) {
            const Index id = token.id.value_or(0);
            if (id >= texts.words->size())
                return Error{{"its tokenizer yields the token %1, but the model has %2 words", id,
                              texts.words->size()},
                             m_texts.folder,
                             "check that the tokenizer belongs to this model"};
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
        std::string text; // fallback: the texts of the vocabulary
        for (const Index id : ids)
            if (id >= 0 && id < texts.words->size())
                text += (text.empty() ? "" : " ") + texts.words->word(id);
        return text;
    }

    std::string betweenPair(Stack stack) const override {
        return stack == Stack::Decoder ? "" : separatorOf(of(stack));
    }

  private:
    struct Encoded {
        std::vector<Token> tokens;
        std::vector<Index> types; ///< empty: all 0
    };

    static std::string separatorOf(const StackTexts &texts) {
        std::string between;
        if (texts.tokenizer)
            for (const Index id : (*texts.tokenizer)->betweenPair())
                between += (*texts.tokenizer)->textOf(id);
        return between;
    }

    static Result<Encoded> encodeOne(const TokenizerPointer &tokenizer, std::string_view text,
                                     SpecialTokens special, const std::stop_token &stop) {
        auto tokens = tokenizer->encode(text, special, stop);
        return tokens ? Encoded{*std::move(tokens), {}} : Result<Encoded>(tokens.error());
    }

    /// Encodes one text, or two if the separator is between them.
    static Result<Encoded> encodeTexts(const StackTexts &texts, std::string_view text,
                                       const std::stop_token &stop) {
        const TokenizerPointer &tokenizer = *texts.tokenizer;
        const std::string between = texts.tokenTypes > 0 ? separatorOf(texts) : "";
        const std::size_t at = between.empty() ? text.npos : text.find(between);
        if (at == text.npos)
            return encodeOne(tokenizer, text, SpecialTokens::Added, stop);
        const std::size_t second = at + between.size();
        auto pair = tokenizer->encodePair(text.substr(0, at), text.substr(second),
                                          SpecialTokens::Added, stop);
        if (!pair)
            return pair.error();
        for (std::size_t i = 0; i < pair->tokens.size(); ++i)
            if (TextSpan *span = pair->texts[i] == 1 && pair->tokens[i].span
                                     ? &*pair->tokens[i].span
                                     : nullptr) {
                span->begin += static_cast<Index>(second);
                span->end += static_cast<Index>(second);
            }
        const Index highest = std::ranges::max(pair->types);
        if (highest == 0 || highest >= texts.tokenTypes)
            pair->types.clear(); // all 0, or unknown to the model
        return Encoded{std::move(pair->tokens), std::move(pair->types)};
    }

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
