// `batch`, `source` and their masks in a session file: the model's input and what it may attend to.
#include "core/formats/session/reading/parts.h"

#include <algorithm>

namespace headlight::core {

namespace {

/// Reads types for the first tokens. checkTokens() checks that the model has these types.
std::vector<Index> readTypes(const Field &list, Index length) {
    std::vector<Index> types;
    if (!list.isArray())
        return types;
    if (list.size() > static_cast<std::size_t>(length)) {
        list.expected({"a list of at most %1, one a token", length});
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
        list.expected({"a list of 1 to %1 sequences", kMaximumSequences});
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
    // Checked before padding, which would multiply the two.
    if (longest > kMaximumBatchTokens / static_cast<Index>(list.size())) {
        field.fail({"%1 sequences of %2 tokens are more than %3 tokens", list.size(), longest,
                    kMaximumBatchTokens},
                   "use fewer or shorter sequences");
        return part;
    }
    Index &left = field.reading().tokensLeft;
    if (left -= longest * static_cast<Index>(list.size()); left < 0) {
        field.fail({"the sequences of this session hold more than %1 tokens together",
                    kMaximumSessionTokens},
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

MaskLayers readLayers(const Field &field, const Batch *queries, const Batch *keys) {
    MaskLayers layers;
    if (!field.isArray())
        return layers;
    if (field.size() > kMaximumMaskLayers) {
        field.expected({"a list of at most %1 masks", kMaximumMaskLayers});
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
        return masks; // the model's structure may be unknown
    if (encoder.present() && !model.hasEncoder())
        encoder.fail("the model has no encoder", "take it out");
    if (cross.present() && !model.hasCrossAttention())
        cross.fail("the model has no cross-attention", "take it out");
    return masks;
}

} // namespace headlight::core
