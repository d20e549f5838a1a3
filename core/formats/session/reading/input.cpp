// `batch`, `source` and their masks in a session file: what the model reads and what it may see of
// it.
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
            list.element(index).fail("a token without a letter", "take it out");
            token.reset();
        }
        good = good && token;
        tokens.push_back({std::move(token).value_or("")});
    }
    if (good && std::all_of(tokens.begin(), tokens.end(),
                            [](const Token &token) { return token.text == kPadToken; })) {
        list.fail("the sequence holds no token but padding", "give it at least one word");
        return std::nullopt;
    }
    return good ? std::optional(std::move(tokens)) : std::nullopt;
}

/// Whether the list has an element for each token; else notes a problem.
bool isOneEach(const Field &list, const Tokens &tokens) {
    if (!list.isArray())
        return false;
    if (list.size() == tokens.size())
        return true;
    list.fail("it has " + std::to_string(list.size()) + " elements for " +
                  std::to_string(tokens.size()) + " tokens",
              "give one for each token; null where there is none");
    return false;
}

/// Whether the model has these words is for checkTokens().
bool readIds(const Field &list, Tokens &tokens) {
    if (!isOneEach(list, tokens))
        return false;
    bool good = true;
    for (std::size_t index = 0; index < tokens.size(); ++index) {
        const Field id = list.element(index);
        if (id.is(Kind::Null))
            continue;
        tokens[index].id = id.whole(0, kMaximumVocabulary - 1);
        good = good && tokens[index].id;
    }
    return good;
}

/// A character begins there, or the text ends.
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
        field.fail("it ends before it begins", "give the byte behind the token's last one");
        return std::nullopt;
    }
    for (const Index byte : {*begin, *end})
        if (!isBetweenCharacters(text, byte)) {
            field.fail("byte " + std::to_string(byte) + " of the text is inside a character",
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

std::optional<TokenizedText> readTokenized(const Field &field) {
    const Field textField = field.member("text");
    const Field ids = field.member("ids"), offsets = field.member("offsets");
    auto tokens = readTokens(field.member("tokens"));
    if (!tokens || (ids.present() && !readIds(ids, *tokens)))
        return std::nullopt;
    if (!offsets.present())
        return TokenizedText{std::move(*tokens)};
    if (!textField.present()) {
        offsets.fail("there is no text in which the tokens stand", "give it as text");
        return std::nullopt;
    }
    const auto text = textField.text();
    if (!text)
        return std::nullopt;
    if (text->size() > kMaximumTextBytes) {
        textField.fail("it is longer than " + std::to_string(kMaximumTextBytes) + " bytes",
                       "use a shorter text");
        return std::nullopt;
    }
    if (text->empty()) {
        textField.fail("it has no letter", "take it and the offsets out");
        return std::nullopt;
    }
    if (!readOffsets(offsets, *text, *tokens))
        return std::nullopt;
    return TokenizedText{std::move(*tokens), std::string(*text)};
}

std::optional<TokenizedText> readSequence(const Field &field) {
    if (!field.isObject())
        return std::nullopt;
    const Field textField = field.member("text");
    const bool hasTokens = field.member("tokens").present();
    const bool hasOffsets = field.member("offsets").present();
    if (hasTokens && textField.present() && !hasOffsets) {
        field.fail("it has both text and tokens",
                   "give either, or beside both the tokens' offsets in the text");
        return std::nullopt;
    }
    if (hasTokens)
        return readTokenized(field);
    for (const char *name : {"ids", "offsets"})
        if (const Field list = field.member(name); list.present()) {
            list.fail("there are no tokens beside it", "give the tokens, or take it out");
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

/// Of the first tokens; whether the model has these types is for checkTokens().
std::vector<Index> readTypes(const Field &list, Index length) {
    std::vector<Index> types;
    if (!list.isArray())
        return types;
    if (list.size() > static_cast<std::size_t>(length)) {
        list.expected("a list of at most " + std::to_string(length) + ", one a token");
        return types;
    }
    for (std::size_t index = 0; index < list.size(); ++index)
        types.push_back(list.element(index).whole(0, kMaximumPositions - 1).value_or(0));
    return types;
}

std::optional<MaskLayer> readCells(const Field &field, const Batch *queries, const Batch *keys) {
    const Field list = field.member("cells");
    if (!list.isArray())
        return std::nullopt;
    const auto lastOf = [](const Batch *batch) {
        return (batch ? batch->length() : kMaximumBatchTokens) - 1;
    };
    const Index lastQuery = lastOf(queries), lastKey = lastOf(keys);
    const Index lastSequence = (queries ? queries->count() : kMaximumSequences) - 1;
    CellMask mask;
    bool good = true;
    for (std::size_t index = 0; index < list.size(); ++index) {
        const Field cell = list.element(index);
        if (!cell.isObject()) {
            good = false;
            continue;
        }
        MaskCell said;
        if (const Field sequence = cell.member("sequence"); sequence.present()) {
            said.sequence = sequence.whole(0, lastSequence);
            good = good && said.sequence;
        }
        const auto query = cell.member("query").whole(0, lastQuery);
        const auto key = cell.member("key").whole(0, lastKey);
        const Field visible = cell.member("visible");
        const auto shown = visible.present() ? visible.boolean() : std::optional(false);
        if (query && key && shown) {
            said.query = *query;
            said.key = *key;
            said.visible = *shown;
            mask.cells.push_back(said);
        } else {
            good = false;
        }
    }
    return good ? std::optional<MaskLayer>(std::move(mask)) : std::nullopt;
}

std::optional<MaskLayer> readMask(const Field &field, const Batch *queries, const Batch *keys) {
    if (!field.isObject())
        return std::nullopt;
    const auto kind = field.member("kind").word(
        {"causal", "padding", "diagonal", "cells", "prefix", "blocks", "window"});
    if (!kind)
        return std::nullopt;
    if (*kind == 0)
        return CausalMask{};
    if (*kind == 1)
        return PaddingMask{};
    if (*kind == 2)
        return DiagonalMask{};
    if (*kind == 3)
        return readCells(field, queries, keys);
    if (*kind == 4) {
        const auto length = field.member("length").whole(0, kMaximumBatchTokens);
        return length ? std::optional<MaskLayer>(PrefixMask{*length}) : std::nullopt;
    }
    if (*kind == 5) {
        const auto size = field.member("size").whole(1, kMaximumBatchTokens);
        return size ? std::optional<MaskLayer>(BlockMask{*size}) : std::nullopt;
    }
    const auto width = field.member("width").whole(1, kMaximumBatchTokens);
    const Field bothWays = field.member("both_ways");
    const auto both = bothWays.present() ? bothWays.boolean() : std::optional(false);
    if (!width || !both)
        return std::nullopt;
    return WindowMask{*width, *both};
}

} // namespace

BatchPart readBatch(const Field &field, const Model &model, Stack stack, Index length) {
    const Index width = model.config.width > 0 ? model.config.tokenWidth() : 0;
    BatchPart part;
    part.minimumLength = length;
    if (!field.isObject())
        return part;
    bool good = true;
    if (const Field own = field.member("length"); own.present()) {
        const auto whole = own.whole(0, kMaximumBatchTokens);
        part.minimumLength = whole.value_or(0);
        good = whole.has_value();
    }
    const Field list = field.member("sequences");
    if (!list.isArray())
        return part;
    if (list.size() < 1 || list.size() > static_cast<std::size_t>(kMaximumSequences)) {
        list.expected("a list of 1 to " + std::to_string(kMaximumSequences) + " sequences");
        return part;
    }
    std::vector<TokenizedText> sequences;
    Index longest = part.minimumLength;
    for (std::size_t index = 0; index < list.size(); ++index) {
        auto sequence = readSequence(list.element(index));
        good = good && sequence;
        if (!sequence)
            continue;
        longest = std::max(longest, static_cast<Index>(sequence->tokens.size()));
        sequences.push_back(std::move(*sequence));
    }
    if (!good)
        return part;
    // Before padding, which would multiply the two.
    if (longest > kMaximumBatchTokens / static_cast<Index>(list.size())) {
        field.fail(std::to_string(list.size()) + " sequences of " + std::to_string(longest) +
                       " tokens are more than " + std::to_string(kMaximumBatchTokens) + " tokens",
                   "use fewer or shorter sequences");
        return part;
    }
    Index &left = field.reading().tokensLeft;
    if (left -= longest * static_cast<Index>(list.size()); left < 0) {
        field.fail("the sequences of this session hold more than " +
                       std::to_string(kMaximumSessionTokens) + " tokens together",
                   "use fewer or shorter sequences");
        return part;
    }
    auto batch = Batch::create(std::move(sequences), part.minimumLength);
    if (!batch) {
        field.fail(batch.error().what, batch.error().remedy);
        return part;
    }
    part.batch = std::move(*batch);
    std::vector<Parameter> embeddings(list.size());
    std::vector<std::vector<Index>> types(list.size());
    for (std::size_t index = 0; index < list.size(); ++index) {
        if (const Field said = list.element(index).member("token_types"); said.present())
            types[index] = readTypes(said, part.batch->length());
        if (const Field own = list.element(index).member("embeddings"); own.present() && width > 0)
            embeddings[index] = readMatrix(own, part.batch->length(), width);
    }
    part.batch = part.batch->withEach(std::move(embeddings), std::move(types));
    if (const Vocabulary *words = model.vocabularyOf(stack))
        part.batch = part.batch->withNeededIds(*words);
    return part;
}

namespace {

/// That a model without a matrix of embeddings has no use for ids, that there are as many words,
/// and, as a warning, that a token reads as its word does.
void checkIds(const Field &ids, const Sequence &sequence, const Vocabulary *words) {
    if (!ids.present())
        return;
    if (!words)
        return ids.fail("the model has no token_embeddings, whose rows they would be",
                        "take them out");
    bool isSaid = false; // the others are likely to be of the same kind
    for (Index t = 0; t < sequence.length; ++t) {
        const Token &token = sequence[t];
        const Field place = ids.element(static_cast<std::size_t>(t));
        if (!token.id)
            continue;
        if (*token.id >= words->size())
            return place.fail("there is no word " + std::to_string(*token.id),
                              "they are 0 to " + std::to_string(words->size() - 1));
        const std::string &word = words->word(*token.id);
        if (word != token.text && !isSaid)
            place.advice().fail("word " + std::to_string(*token.id) + " of the vocabulary is " +
                                    inQuotes(word) + ", and the token reads " +
                                    inQuotes(token.text),
                                "the id is what is looked up");
        isSaid = isSaid || word != token.text;
    }
}

/// That the model knows every token.
void checkWords(const Field &said, const Sequence &sequence, Index place, const Vocabulary &words) {
    const bool fromText = !said.member("tokens").present();
    for (Index t = 0; t < std::ssize(sequence.tokens); ++t) {
        if (words.idOf(sequence[t]))
            continue;
        const Field list = said.member(fromText ? "text" : "tokens");
        const Field where = !said.is(Kind::Object) || sequence.isPadding(t) ? said
                            : fromText                                      ? list
                                       : list.element(static_cast<std::size_t>(t));
        return where.fail(inQuotes(sequence[t].text) + " of sequence " + std::to_string(place) +
                              " is not in the model's vocabulary",
                          "use its words, or give it the word \"[UNK]\" for all others");
    } // the others are likely to be the same mistake
}

} // namespace

void checkTokens(const Field &field, const Batch &batch, const Model &model, Stack stack) {
    const Vocabulary *words = model.embeddingMatrix(stack) ? model.vocabularyOf(stack) : nullptr;
    const Parameter &types = model.stack(stack).tokenTypes;
    for (Index b = 0; b < batch.count(); ++b) {
        const Sequence &sequence = batch[b];
        const Field said = field.is(Kind::Object)
                               ? field.member("sequences").element(static_cast<std::size_t>(b))
                               : field;
        checkIds(said.member("ids"), sequence, words);
        if (words && !sequence.embeddings)
            checkWords(said, sequence, b, *words);
        for (std::size_t t = 0; t < sequence.tokenTypes.size(); ++t)
            if (sequence.tokenTypes[t] > 0 && (!types || sequence.tokenTypes[t] >= types->rows())) {
                said.member("token_types")
                    .element(t)
                    .fail("there is no token type " + std::to_string(sequence.tokenTypes[t]),
                          "the model has " + std::to_string(types ? types->rows() : 0));
                break;
            }
    }
}

namespace {

MaskLayers readLayers(const Field &field, const Batch *queries, const Batch *keys) {
    MaskLayers layers;
    if (!field.isArray())
        return layers;
    if (field.size() > kMaximumMaskLayers) {
        field.expected("a list of at most " + std::to_string(kMaximumMaskLayers) + " masks");
        return layers;
    }
    for (std::size_t index = 0; index < field.size(); ++index)
        if (auto layer = readMask(field.element(index), queries, keys))
            layers.push_back(std::move(*layer));
    return layers;
}

} // namespace

AttentionMasks readMasks(const Field &parent, const Model &model, const Batch *batch,
                         const Batch *source) {
    AttentionMasks masks;
    const Field self = parent.member("masks"), encoder = parent.member("encoder_masks");
    const Field cross = parent.member("cross_masks");
    if (self.present())
        masks.self = readLayers(self, batch, batch);
    if (encoder.present())
        masks.encoder = readLayers(encoder, source, source);
    if (cross.present())
        masks.cross = readLayers(cross, batch, source);
    if (!parent.reading().problems.empty())
        return masks; // what the model has may not be known
    if (encoder.present() && !model.hasEncoder())
        encoder.fail("the model has no encoder", "take it out");
    if (cross.present() && !model.hasCrossAttention())
        cross.fail("the model has no cross-attention", "take it out");
    return masks;
}

} // namespace headlight::core
