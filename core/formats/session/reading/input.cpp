// Reads `batch`, `source` and the masks in a session file.
#include "core/formats/session/data/fields.h"
#include "core/formats/session/reading/parts.h"

#include <algorithm>
#include <array>

namespace headlight::core {

namespace {

/// Reads token types, which may be fewer than the tokens. checkTokens() checks that the model has
/// these types.
std::vector<Index> readTypes(const Field &list, Index length) {
    std::vector<Index> types;
    if (!list.isArray())
        return types;
    if (list.size() > static_cast<std::size_t>(length)) {
        list.expected({"a list of at most %1, one per token", length});
        return types;
    }
    for (std::size_t index = 0; index < list.size(); ++index)
        types.push_back(list.element(index).whole(0, kMaxPositions - 1).value_or(0));
    return types;
}

/// Reports a problem and returns false if the index is greater than `last`.
bool isWithin(const Field &cell, const char *name, Index index, Index last) {
    if (index > last)
        cell.member(name).expected({"a whole number from %1 to %2", 0, last});
    return index <= last;
}

bool readCells(const Field &field, const Batch *queries, const Batch *keys, CellMask &mask) {
    const Field list = field.member("cells");
    if (!list.isArray())
        return false;
    const auto lastOf = [](const Batch *batch) {
        return (batch ? batch->length() : kMaxBatchTokens) - 1;
    };
    const Index lastQuery = lastOf(queries), lastKey = lastOf(keys);
    const Index lastSequence = (queries ? queries->count() : kMaxSequences) - 1;
    bool isGood = true;
    for (std::size_t index = 0; index < list.size(); ++index) {
        const Field cell = list.element(index);
        MaskCell values;
        const bool exists = readInto(cell, values) &&
                            isWithin(cell, "sequence", values.sequence.value_or(0), lastSequence) &&
                            isWithin(cell, "query", values.query, lastQuery) &&
                            isWithin(cell, "key", values.key, lastKey);
        isGood = isGood && exists;
        if (exists)
            mask.cells.push_back(values);
    }
    return isGood;
}

struct LayerReader {
    const Field &field;
    const Batch *queries;
    const Batch *keys;

    bool operator()(CellMask &mask) const { return readCells(field, queries, keys, mask); }
    template <typename Mask>
    bool operator()(Mask &mask) const {
        if constexpr (std::is_empty_v<Mask>)
            return true;
        else
            return readInto(field, mask);
    }
};

std::optional<MaskLayer> readMask(const Field &field, const Batch *queries, const Batch *keys) {
    static const std::array<MaskLayer, kMaskKinds.size()> kLayers{
        CausalMask(), PaddingMask(), WindowMask(),  CellMask(),
        PrefixMask(), BlockMask(),   DiagonalMask()};
    const auto kind =
        field.isObject() ? field.member("kind").word(kMaskKinds) : std::optional<std::size_t>();
    if (!kind)
        return std::nullopt;
    MaskLayer layer = kLayers[*kind];
    const bool isGood = std::visit(LayerReader{field, queries, keys}, layer);
    return isGood ? std::optional(std::move(layer)) : std::nullopt;
}

} // namespace

BatchPart readBatch(const Field &field, const Model &model, Stack stack, Index length) {
    const Index width = model.config.width > 0 ? model.configOf(stack).tokenWidth() : 0;
    BatchPart part;
    part.minimumLength = length;
    if (!field.isObject())
        return part;
    bool good = true;
    if (const Field own = field.member("length"); own.present()) {
        const auto whole = own.whole(0, kMaxBatchTokens);
        part.minimumLength = whole.value_or(0);
        good = whole.has_value();
    }
    const Field list = field.member("sequences");
    if (!list.isArray())
        return part;
    if (list.size() < 1 || list.size() > static_cast<std::size_t>(kMaxSequences)) {
        list.expected({"a list of 1 to %1 sequences", kMaxSequences});
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
    // Checked before padding, which makes all sequences as long as the longest.
    if (longest > kMaxBatchTokens / static_cast<Index>(list.size())) {
        field.fail({"%1 sequences of %2 tokens are more than %3 tokens", list.size(), longest,
                    kMaxBatchTokens},
                   "use fewer or shorter sequences");
        return part;
    }
    Index &left = field.reading().tokensLeft;
    if (left -= longest * static_cast<Index>(list.size()); left < 0) {
        field.fail(
            {"the sequences of this session hold more than %1 tokens together", kMaxSessionTokens},
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
        if (const Field values = list.element(index).member("token_types"); values.present())
            types[index] = readTypes(values, part.batch->length());
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
    if (field.size() > kMaxMaskLayers) {
        field.expected({"a list of at most %1 masks", kMaxMaskLayers});
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
        return masks; // the model's structure may be invalid
    if (encoder.present() && !model.hasEncoder())
        encoder.fail("the model has no encoder", "remove it");
    if (cross.present() && !model.hasCrossAttention())
        cross.fail("the model has no cross-attention", "remove it");
    return masks;
}

} // namespace headlight::core
