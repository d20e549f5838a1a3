// Reads arbitrary bytes as a tokenizer.json, and applies it to any text. Expects an error with a
// message, or tokens with ids of the vocabulary in the order of the text, which decode to valid
// UTF-8. The text comes after the last zero byte.
#include "core/formats/tokenizer/tokenizer_json.h"
#include "core/formats/tokenizer/vocabulary_files.h"
#include "core/tokenizers/text/unicode.h"
#include "tests/fuzz/hold.h"

#include <algorithm>
#include <string_view>

using namespace headlight::core;

namespace {

void tryBack(const Tokenizer &tokenizer, const std::vector<Token> &tokens) {
    std::vector<Index> ids{-1, tokenizer.size()}; // not valid ids
    for (const Token &token : tokens)
        ids.push_back(token.id.value_or(0));
    for (Index id = 0; id < std::min<Index>(tokenizer.size(), 300); ++id)
        ids.push_back(id);
    for (const SpecialTokens special : {SpecialTokens::Added, SpecialTokens::LeftOut}) {
        const auto text = tokenizer.decode(ids, special);
        hold(text ? !firstInvalidByte(*text) : !text.error().what.empty());
    }
}

void tryPair(const Tokenizer &tokenizer, std::string_view text) {
    const auto pair = tokenizer.encodePair(text, "b", SpecialTokens::Added);
    if (!pair)
        return hold(!pair.error().what.empty());
    hold(pair->types.size() == pair->tokens.size() && pair->texts.size() == pair->tokens.size());
    for (std::size_t i = 0; i < pair->tokens.size(); ++i)
        hold(pair->types[i] >= 0 && (pair->texts[i] >= 0) == pair->tokens[i].span.has_value());
}

void tryOn(const Result<TokenizerPointer> &read, std::string_view text) {
    if (!read)
        return hold(!read.error().what.empty());
    const auto tokens = (*read)->encode(text, SpecialTokens::Added);
    if (!tokens)
        return hold(!tokens.error().what.empty());
    tryBack(**read, *tokens);
    tryPair(**read, text);
    Index before = 0;
    for (const Token &token : *tokens) {
        hold(token.id && *token.id >= 0);
        if (!token.span)
            continue;
        hold(token.span->begin >= before && token.span->begin <= token.span->end &&
             token.span->end <= static_cast<Index>(text.size()));
        before = token.span->begin;
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view all(reinterpret_cast<const char *>(data), size);
    const std::size_t zero = all.rfind('\0');
    const std::string_view file = all.substr(0, zero == std::string_view::npos ? size : zero);
    const std::string_view text =
        zero == std::string_view::npos ? "A b<end> \xC3\xA9" : all.substr(zero + 1);
    tryOn(readTokenizerJson(file), text);
    tryOn(readBertVocabulary(file, {}), text);
    tryOn(readTokenListJson(file, {}), text);
    tryOn(readVocabularyAndMerges(file, "a b\n", {}), text);
    return 0;
}
