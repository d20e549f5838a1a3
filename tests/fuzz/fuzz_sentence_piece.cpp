// Reads arbitrary bytes as a SentencePiece model. Expects an error with a message, or tokens of the
// vocabulary in the order of the text, which decode to valid UTF-8. The library is not
// instrumented, so an out-of-bounds read shows only as a crash.
#include "core/formats/tokenizer/sentence_piece.h"
#include "core/tokenizers/text/unicode.h"
#include "tests/fuzz/hold.h"

#include <string_view>

using namespace headlight::core;

namespace {

constexpr std::string_view kText = "The cAt é <mask> 漢字 ①ﬁ \xF0\x9F\x99\x82 <s>▁x";

void tryOn(const Result<TokenizerPointer> &read) {
    if (!read)
        return hold(!read.error().what.empty());
    const auto tokens = (*read)->encode(kText, SpecialTokens::Added);
    if (!tokens)
        return hold(!tokens.error().what.empty());
    std::vector<Index> ids;
    for (const Token &token : *tokens) {
        hold(token.id && *token.id >= 0 && *token.id < (*read)->size());
        hold(!token.span || (token.span->begin >= 0 && token.span->begin <= token.span->end &&
                             token.span->end <= std::ssize(kText)));
        ids.push_back(*token.id);
    }
    for (Index id = -1; id < std::min<Index>((*read)->size() + 1, 300); ++id)
        ids.push_back(id);
    const auto text = (*read)->decode(ids, SpecialTokens::Added);
    hold(text ? !firstInvalidByte(*text) : !text.error().what.empty());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view model(reinterpret_cast<const char *>(data), size);
    SentencePieceSettings settings;
    tryOn(readSentencePiece(model, settings));
    settings.family = SentencePieceFamily::Camembert;
    tryOn(readSentencePiece(model, settings));
    return 0;
}
