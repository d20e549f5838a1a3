// Any bytes as a tokenizer.json, and any text through it: an error with a message, or tokens with
// ids of the vocabulary, in the order of the text. The text is what stands behind the last zero
// byte.
#include "core/formats/tokenizer/tokenizer_json.h"
#include "core/formats/tokenizer/vocabulary_files.h"

#include <cstdlib>
#include <string_view>

using namespace headlight::core;

namespace {

void hold(bool truth) {
    if (!truth)
        std::abort();
}

void tryOn(const Result<TokenizerPointer> &read, std::string_view text) {
    if (!read)
        return hold(!read.error().what.empty());
    const auto tokens = (*read)->encode(text, SpecialTokens::Added);
    if (!tokens)
        return hold(!tokens.error().what.empty());
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
