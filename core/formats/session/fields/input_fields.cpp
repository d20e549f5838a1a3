// The fields of mask layers and of interventions.
#include "core/formats/session/data/fields.h"
#include "core/formats/session/reading/parts.h"

namespace headlight::core {

namespace {

Codec<Index> token() {
    return whole(0, kMaxBatchTokens - 1);
}

Codec<HeadState> headState() {
    static constexpr std::string_view kWords[] = {"zero", "mean", "uniform"};
    return oneOf<HeadState>(kWords, HeadState::Zero);
}

// Fields that both kinds of interventions share.

template <typename T>
FieldRow<T> stackRow() {
    // Excludes "source", which has no attention.
    const std::span<const std::string_view> stacks = std::span(Words<Stack>::all).first(3);
    return field("stack", &T::stack, oneOf<Stack>(stacks),
                 "default: the only stack, or the decoder")
        .usually("");
}

template <typename T>
FieldRow<T> blockRow() {
    return field("block", &T::block, oneOf<Block>(), "self-attention or cross-attention");
}

template <typename T>
FieldRow<T> layerRow() {
    return field("layer", &T::layer, whole(0, kMaxLayers - 1), "index").required();
}

template <typename T>
FieldRow<T> headRow() {
    return field("head", &T::head, whole(0, kMaxHeads - 1), "index").required();
}

} // namespace

template <>
const FieldTable<WindowMask> &Fields<WindowMask>::table() {
    static const FieldTable<WindowMask> table{
        "window",
        Written::Changed,
        {field("width", &WindowMask::width, whole(1, kMaxBatchTokens),
               "keys outside i − width < j ≤ i are hidden")
             .required(),
         field("both_ways", &WindowMask::bothWays, flag(),
               "keys outside |i − j| ≤ width are hidden instead")}};
    return table;
}

template <>
const FieldTable<PrefixMask> &Fields<PrefixMask>::table() {
    static const FieldTable<PrefixMask> table{
        "prefix",
        Written::Changed,
        {field("length", &PrefixMask::length, whole(0, kMaxBatchTokens),
               "keys j > i are hidden, except the first `length` tokens")
             .required()}};
    return table;
}

template <>
const FieldTable<BlockMask> &Fields<BlockMask>::table() {
    static const FieldTable<BlockMask> table{
        "blocks",
        Written::Changed,
        {field("size", &BlockMask::size, whole(1, kMaxBatchTokens),
               "keys outside the query's own group of `size` tokens are hidden")
             .required()}};
    return table;
}

template <>
const FieldTable<MaskCell> &Fields<MaskCell>::table() {
    static const FieldTable<MaskCell> table{
        "maskCell",
        Written::All,
        {field("sequence", &MaskCell::sequence, whole(0, kMaxSequences - 1),
               "the sequence; without it, all sequences"),
         field("query", &MaskCell::query, token(), "the row").required(),
         field("key", &MaskCell::key, token(), "the column").required(),
         field(
             "visible", &MaskCell::visible, flag(),
             "true: the cell is shown again. If a cell has several entries, the last one counts")}};
    return table;
}

template <>
const FieldTable<HeadIntervention> &Fields<HeadIntervention>::table() {
    using H = HeadIntervention;
    static const FieldTable<H> table{
        "headIntervention",
        Written::Changed,
        {stackRow<H>(), blockRow<H>(), layerRow<H>(), headRow<H>(),
         field("state", &H::state, headState(),
               "the context of the head is set to zero; or in every row to its mean over the "
               "sequence's real tokens; or each query attends equally to all keys that it sees")
             .required()}};
    return table;
}

template <>
const FieldTable<ScoreIntervention> &Fields<ScoreIntervention>::table() {
    using S = ScoreIntervention;
    static const FieldTable<S> table{
        "scoreIntervention",
        Written::Changed,
        {stackRow<S>(), blockRow<S>(),
         field("sequence", &S::sequence, whole(0, kMaxSequences - 1), "index").required(),
         layerRow<S>(), headRow<S>(), field("query", &S::query, token(), "index").required(),
         field("key", &S::key, token(), "index").required(),
         field("score", &S::score, number(),
               "a score (QKᵀ, before it is scaled) that replaces the computed one")
             .required()}};
    return table;
}

} // namespace headlight::core
