#include "core/generation/chosen_text.h"

#include <algorithm>

namespace headlight::core {

namespace {

/// The text before and after a token.
struct Around {
    std::string before, behind;
};

std::optional<Around> aroundToken(const TokenizedText &text, Index token, FollowingTokens behind) {
    if (text.text.empty())
        return std::nullopt;
    const auto at = static_cast<std::size_t>(token);
    if (behind == FollowingTokens::Keep && at < text.tokens.size()) {
        const std::optional<TextSpan> own = text.tokens[at].span;
        if (!own)
            return std::nullopt;
        return Around{text.text.substr(0, static_cast<std::size_t>(own->begin)),
                      text.text.substr(static_cast<std::size_t>(own->end))};
    }
    if (at == text.tokens.size())
        return Around{text.text, {}};
    const std::optional<TextSpan> last = at > 0 ? text.tokens[at - 1].span : TextSpan{};
    if (!last)
        return std::nullopt;
    return Around{text.text.substr(0, static_cast<std::size_t>(last->end)), {}};
}

/// Returns possible spellings of a token in a text: unchanged, after a space, and without the
/// tokenizer's continuation mark. The right one is found by tokenizing the text.
std::vector<std::string> spellingsOf(const std::string &word) {
    std::vector<std::string> spellings{word, " " + word};
    if (word.starts_with("##"))
        spellings.insert(spellings.begin(), word.substr(2));
    if (word.starts_with(" "))
        spellings.push_back(word.substr(1));
    return spellings;
}

bool readAgain(const TokenizedText &made, const TokenizedText &read) {
    return std::ranges::equal(made.tokens, read.tokens, readAlike);
}

/// Returns the tokens with their decoded text. Tokenizing this text may result in other tokens.
TokenizedText decoded(const Model &model, Stack stack, TokenizedText made) {
    const Vocabulary &words = *model.vocabularyOf(stack);
    std::vector<Index> ids;
    for (const Token &token : made.tokens)
        if (const std::optional<Index> id = words.idOf(token))
            ids.push_back(*id);
    made.text = model.reader->textOf(stack, ids);
    if (made.text.empty())
        return made;
    const Result<TokenizedText> read = tokenized(model, stack, made.text);
    return read && readAgain(made, *read) ? withMarksOf(made, *read) : made;
}

} // namespace

TokenizedText withToken(const Model &model, Stack stack, TokenizedText text, Index token, Index id,
                        FollowingTokens behind) {
    const std::optional<Around> around =
        model.reader || text.isSplit ? aroundToken(text, token, behind) : std::nullopt;
    const auto at = static_cast<std::size_t>(token);
    TokenizedText made{std::move(text.tokens)};
    if (behind == FollowingTokens::Drop || at >= made.tokens.size())
        made.tokens.resize(at + 1);
    made.tokens[at] = model.vocabularyOf(stack)->token(id);
    for (Token &each : made.tokens)
        each.span.reset();
    const std::vector<std::string> spellings =
        around ? spellingsOf(made.tokens[at].text) : std::vector<std::string>();
    for (const std::string &word : spellings) {
        Result<TokenizedText> read =
            tokenized(model, stack, around->before + word + around->behind);
        if (read && readAgain(made, *read))
            return withMarksOf(made, *std::move(read));
    }
    return model.reader ? decoded(model, stack, std::move(made)) : made;
}

TokenizedText withWritten(const Model &model, Stack stack, TokenizedText text, Index id) {
    const Index count = std::ssize(text.tokens);
    text = withToken(model, stack, std::move(text), count, id, FollowingTokens::Drop);
    text.tokens.back().isWritten = true;
    return text;
}

TokenizedText withMarksOf(const TokenizedText &before, TokenizedText read) {
    const auto same =
        std::ranges::mismatch(before.tokens, read.tokens, readAlike).in2 - read.tokens.begin();
    for (std::ptrdiff_t token = 0; token < same; ++token) {
        const auto place = static_cast<std::size_t>(token);
        read.tokens[place].isWritten = before.tokens[place].isWritten;
    }
    return read;
}

} // namespace headlight::core
