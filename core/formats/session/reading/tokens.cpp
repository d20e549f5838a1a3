// Reads the tokens of a sequence in a session file: split from its text, or with ids and spans.
#include "core/formats/session/reading/parts.h"
#include "core/in_quotes.h"
#include "core/tokenizers/word_tokenizer.h"

#include <algorithm>

namespace headlight::core {

namespace {

using Kind = JsonValue::Kind;
using Tokens = std::vector<Token>;

std::optional<Tokens> readTokens(const Field &list) {
    if (!list.isArray())
        return std::nullopt;
    Tokens tokens;
    bool good = true;
    for (std::size_t index = 0; index < list.size(); ++index) {
        auto token = list.element(index).text();
        if (token && token->empty()) {
            list.element(index).fail("an empty token", "remove it");
            token.reset();
        }
        good = good && token;
        tokens.push_back({std::move(token).value_or("")});
    }
    if (good && std::all_of(tokens.begin(), tokens.end(),
                            [](const Token &token) { return token.text == kPadToken; })) {
        list.fail("the sequence contains only padding", "give it at least one word");
        return std::nullopt;
    }
    return good ? std::optional(std::move(tokens)) : std::nullopt;
}

/// Reports a problem and returns false unless the list has one element per token.
bool isOneEach(const Field &list, const Tokens &tokens) {
    if (!list.isArray())
        return false;
    if (list.size() == tokens.size())
        return true;
    list.fail({"it has %1 elements for %2 tokens", list.size(), tokens.size()},
              "give one for each token; null where there is none");
    return false;
}

/// Reads the tokens' ids. checkTokens() checks whether the model has these words.
bool readIds(const Field &list, Tokens &tokens) {
    if (!isOneEach(list, tokens))
        return false;
    bool good = true;
    for (std::size_t index = 0; index < tokens.size(); ++index) {
        const Field id = list.element(index);
        if (id.is(Kind::Null))
            continue;
        tokens[index].id = id.whole(0, kMaxVocabulary - 1);
        good = good && tokens[index].id;
    }
    return good;
}

/// True if a character starts at offset `byte`, or if the text ends there.
bool isBetweenCharacters(std::string_view text, Index byte) {
    const auto at = static_cast<std::size_t>(byte);
    return at == text.size() || (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U;
}

std::optional<TextSpan> readSpan(const Field &field, std::string_view text) {
    if (!field.is(Kind::Array) || field.size() != 2) {
        field.expected("[begin, end], or null");
        return std::nullopt;
    }
    const auto begin = field.element(0).whole(0, std::ssize(text));
    const auto end = field.element(1).whole(0, std::ssize(text));
    if (!begin || !end)
        return std::nullopt;
    if (*end < *begin) {
        field.fail("it ends before it begins", "give the byte after the token's last byte");
        return std::nullopt;
    }
    for (const Index byte : {*begin, *end})
        if (!isBetweenCharacters(text, byte)) {
            field.fail({"byte %1 of the text is inside a character", byte},
                       "count bytes of UTF-8, and give where characters begin");
            return std::nullopt;
        }
    return TextSpan{*begin, *end};
}

bool readOffsets(const Field &list, std::string_view text, Tokens &tokens) {
    if (!isOneEach(list, tokens))
        return false;
    bool good = true;
    for (std::size_t index = 0; index < tokens.size(); ++index) {
        const Field offset = list.element(index);
        if (offset.is(Kind::Null))
            continue;
        tokens[index].span = readSpan(offset, text);
        good = good && tokens[index].span;
    }
    return good;
}

/// Reads "written", the generated tokens, as ascending ranges [begin, end).
bool readWritten(const Field &list, Tokens &tokens) {
    if (!list.isArray())
        return false;
    Index next = 0;
    for (std::size_t place = 0; place < list.size(); ++place) {
        const Field range = list.element(place);
        if (!range.is(Kind::Array) || range.size() != 2) {
            range.expected("[begin, end], numbers of tokens");
            return false;
        }
        const auto begin = range.element(0).whole(next, std::ssize(tokens) - 1);
        if (!begin)
            return false;
        const auto end = range.element(1).whole(*begin + 1, std::ssize(tokens));
        if (!end)
            return false;
        for (next = *begin; next < *end; ++next)
            tokens[static_cast<std::size_t>(next)].isWritten = true;
    }
    return true;
}

std::optional<TokenizedText> readTokenized(const Field &field) {
    const Field textField = field.member("text");
    const Field ids = field.member("ids"), offsets = field.member("offsets");
    auto tokens = readTokens(field.member("tokens"));
    if (!tokens || (ids.present() && !readIds(ids, *tokens)))
        return std::nullopt;
    if (!offsets.present())
        return TokenizedText{std::move(*tokens)};
    if (!textField.present()) {
        offsets.fail("there is no text for the tokens' offsets", "give it as text");
        return std::nullopt;
    }
    const auto text = textField.text();
    if (!text)
        return std::nullopt;
    if (text->size() > kMaxTextBytes) {
        textField.fail({"it is longer than %1 bytes", kMaxTextBytes}, "use a shorter text");
        return std::nullopt;
    }
    if (text->empty()) {
        textField.fail("it is empty", "remove it and the offsets");
        return std::nullopt;
    }
    if (!readOffsets(offsets, *text, *tokens))
        return std::nullopt;
    return TokenizedText{std::move(*tokens), std::string(*text)};
}

std::optional<TokenizedText> readGiven(const Field &field) {
    const Field textField = field.member("text");
    const bool hasTokens = field.member("tokens").present();
    const bool hasOffsets = field.member("offsets").present();
    if (hasTokens && textField.present() && !hasOffsets) {
        field.fail("it has both text and tokens",
                   "use one of them, or both with the tokens' offsets in the text");
        return std::nullopt;
    }
    if (hasTokens)
        return readTokenized(field);
    for (const char *name : {"ids", "offsets"})
        if (const Field list = field.member(name); list.present()) {
            list.fail("the text has no \"tokens\"", "add them, or remove this list");
            return std::nullopt;
        }
    if (!textField.present()) {
        field.fail("it has no text", "give either text or tokens");
        return std::nullopt;
    }
    const auto text = textField.text();
    if (!text)
        return std::nullopt;
    auto split = splitIntoWords(*text, field.reading().stop.token());
    throwIfCancelled(field.reading().stop.token());
    if (!split) {
        textField.fail(split.error().what, split.error().remedy);
        return std::nullopt;
    }
    return TokenizedText{std::move(*split), std::string(*text), true};
}

} // namespace

std::optional<TokenizedText> readSequence(const Field &field) {
    if (!field.isObject())
        return std::nullopt;
    auto given = readGiven(field);
    const Field written = field.member("written");
    if (given && written.present() && !readWritten(written, given->tokens))
        return std::nullopt;
    return given;
}

namespace {

/// Checks that the model has an embedding matrix and a word for each id. Warns if a token's text
/// differs from its word.
void checkIds(const Field &ids, const Sequence &sequence, const Vocabulary *words) {
    if (!ids.present())
        return;
    if (!words)
        return ids.fail("the model has no token_embeddings, so its words have no ids",
                        "remove them");
    bool isSet = false; // warns only once, because other tokens probably differ, too
    for (Index t = 0; t < sequence.length; ++t) {
        const Token &token = sequence[t];
        const Field place = ids.element(static_cast<std::size_t>(t));
        if (!token.id)
            continue;
        if (*token.id >= words->size())
            return place.fail({"there is no word %1", *token.id},
                              {"use 0 to %1", words->size() - 1});
        const std::string &word = words->word(*token.id);
        if (word != token.text && !isSet)
            place.advice().fail({"word %1 of the vocabulary is %2, but the token is %3", *token.id,
                                 inQuotes(word), inQuotes(token.text)},
                                "the model reads the id; correct one of them");
        isSet = isSet || word != token.text;
    }
}

/// Checks that the vocabulary has every token.
void checkText(const Field &sequenceField, const Sequence &sequence, Index place,
               const Vocabulary &words) {
    const bool fromText = !sequenceField.member("tokens").present();
    for (Index t = 0; t < std::ssize(sequence.tokens); ++t) {
        if (words.idOf(sequence[t]))
            continue;
        const Field list = sequenceField.member(fromText ? "text" : "tokens");
        const Field where = !sequenceField.is(Kind::Object) || sequence.isPadding(t) ? sequenceField
                            : fromText                                               ? list
                                       : list.element(static_cast<std::size_t>(t));
        return where.fail({"%1 of sequence %2 is not in the model's vocabulary",
                           inQuotes(sequence[t].text), place},
                          "use its words, or give it the word \"[UNK]\" for all others");
    } // stops, because other tokens probably have the same problem
}

} // namespace

void checkTokens(const Field &field, const Batch &batch, const Model &model, Stack stack) {
    const Vocabulary *words = model.embeddingMatrix(stack) ? model.vocabularyOf(stack) : nullptr;
    const Parameter &types = model.stack(stack).tokenTypes;
    for (Index b = 0; b < batch.count(); ++b) {
        const Sequence &sequence = batch[b];
        const Field sequenceField =
            field.is(Kind::Object) ? field.member("sequences").element(static_cast<std::size_t>(b))
                                   : field;
        checkIds(sequenceField.member("ids"), sequence, words);
        if (words && !sequence.embeddings)
            checkText(sequenceField, sequence, b, *words);
        for (std::size_t t = 0; t < sequence.tokenTypes.size(); ++t)
            if (sequence.tokenTypes[t] > 0 && (!types || sequence.tokenTypes[t] >= types->rows())) {
                sequenceField.member("token_types")
                    .element(t)
                    .fail({"there is no token type %1", sequence.tokenTypes[t]},
                          {"the model has %1", types ? types->rows() : 0});
                break;
            }
    }
}

} // namespace headlight::core
