// `batch` and `masks` of a session file: what the model reads and what it may see of it.
#include "core/formats/session_parts.h"
#include "core/tokenizers/word_tokenizer.h"

#include <algorithm>

namespace headlight::core {

namespace {

using Kind = JsonValue::Kind;
using Tokens = std::vector<std::string>;

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
        tokens.push_back(std::move(token).value_or(""));
    }
    if (good && std::all_of(tokens.begin(), tokens.end(),
                            [](const std::string &token) { return token == kPadToken; })) {
        list.fail("the sequence holds no token but padding", "give it at least one word");
        return std::nullopt;
    }
    return good ? std::optional(std::move(tokens)) : std::nullopt;
}

struct SequenceText {
    Tokens tokens;
    std::string text; ///< what they were split from; empty where the tokens were given
};

std::optional<SequenceText> readSequence(const Field &field) {
    if (!field.isObject())
        return std::nullopt;
    const Field textField = field.member("text");
    const Field tokens = field.member("tokens");
    if (textField.present() == tokens.present()) {
        field.fail(textField.present() ? "it has both text and tokens" : "it has no text",
                   "give either text or tokens");
        return std::nullopt;
    }
    if (tokens.present()) {
        auto given = readTokens(tokens);
        return given ? std::optional(SequenceText{std::move(*given), {}}) : std::nullopt;
    }
    const auto text = textField.text();
    if (!text)
        return std::nullopt;
    auto split = splitIntoWords(*text);
    if (!split) {
        textField.fail(split.error().what, split.error().remedy);
        return std::nullopt;
    }
    return SequenceText{std::move(*split), std::string(*text)};
}

std::optional<MaskLayer> readCells(const Field &field, const Batch *batch) {
    const Field list = field.member("cells");
    if (!list.isArray())
        return std::nullopt;
    const Index lastToken = (batch ? batch->length() : kMaximumBatchTokens) - 1;
    const Index lastSequence = (batch ? batch->count() : kMaximumSequences) - 1;
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
        const auto query = cell.member("query").whole(0, lastToken);
        const auto key = cell.member("key").whole(0, lastToken);
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

std::optional<MaskLayer> readMask(const Field &field, const Batch *batch) {
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
        return readCells(field, batch);
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

BatchPart readBatch(const Field &field, Index width, Index length) {
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
    std::vector<Tokens> sequences;
    std::vector<std::string> texts;
    Index longest = part.minimumLength;
    for (std::size_t index = 0; index < list.size(); ++index) {
        auto sequence = readSequence(list.element(index));
        good = good && sequence;
        if (!sequence)
            continue;
        longest = std::max(longest, static_cast<Index>(sequence->tokens.size()));
        sequences.push_back(std::move(sequence->tokens));
        texts.push_back(std::move(sequence->text));
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
    auto batch = Batch::create(std::move(sequences), part.minimumLength, std::move(texts));
    if (!batch) {
        field.fail(batch.error().what, batch.error().remedy);
        return part;
    }
    part.batch = std::move(*batch);
    for (std::size_t index = 0; index < list.size(); ++index) {
        const Field own = list.element(index).member("embeddings");
        if (!own.present() || width == 0)
            continue;
        if (const Parameter matrix = readMatrix(own, part.batch->length(), width))
            part.batch = part.batch->withEmbeddings(static_cast<Index>(index), matrix);
    }
    return part;
}

MaskLayers readMasks(const Field &field, const Batch *batch) {
    MaskLayers layers;
    if (!field.isArray())
        return layers;
    if (field.size() > kMaximumMaskLayers) {
        field.expected("a list of at most " + std::to_string(kMaximumMaskLayers) + " masks");
        return layers;
    }
    for (std::size_t index = 0; index < field.size(); ++index)
        if (auto layer = readMask(field.element(index), batch))
            layers.push_back(std::move(*layer));
    return layers;
}

} // namespace headlight::core
