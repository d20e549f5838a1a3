// How a number of an attention's vectors came to be: queries, keys, values, contexts, outputs.
#include "core/analysis/origin_parts.h"

namespace headlight::core::origin {

namespace {

std::vector<Term> termsOf(std::span<const float> left, MatrixView right, Index column) {
    std::vector<Term> terms;
    terms.reserve(left.size());
    for (std::size_t i = 0; i < left.size(); ++i)
        terms.push_back({left[i], right(static_cast<Index>(i), column)});
    return terms;
}

/// The column of the heads' common matrix; keys and values have their group's.
Index columnOf(const Work &work) {
    const bool grouped = infoOf(work.place.stage).ofKeys();
    const Index part = grouped ? work.config().groupOf(work.place.head) : work.place.head;
    return part * work.config().headSize + work.column;
}

/// A rotated query or key; `unrotated` is what is turned.
void rotation(Work &work, StageAt unrotated) {
    const Config &config = work.config();
    const bool ofKeys = infoOf(work.place.stage).ofKeys();
    const Batch &batch =
        ofKeys ? work.trace.keys(work.place.site()) : work.trace.queries(work.place.site());
    const RotaryTable table(config.rotary, config.headSize, batch.length());
    const Index pairs = table.cosine.columns();
    if (work.column >= 2 * pairs)
        return same(work, unrotated);
    RotationOrigin turn;
    turn.isFirst = work.column < pairs;
    turn.partner = turn.isFirst ? work.column + pairs : work.column - pairs;
    turn.position = work.row;
    const Index pair = work.column % pairs;
    const SharedMatrix from = work.matrix(unrotated);
    turn.own = from(work.row, work.column);
    turn.other = from(work.row, turn.partner);
    turn.cosine = table.cosine(work.row, pair);
    turn.sine = table.sine(work.row, pair);
    turn.angle = static_cast<double>(work.row) *
                 rotaryFrequencies(config.rotary, config.headSize,
                                   batch.length())[static_cast<std::size_t>(pair)];
    work.cell.origin = Origin::Rotated;
    work.cell.from = unrotated;
    work.cell.rotation = turn;
}

/// A query, key or value before any rotation.
void project(Work &work, StageAt from) {
    switch (work.place.stage) {
    case Stage::Query:
    case Stage::UnrotatedQuery:
        return linear(work, from, ParameterKind::Query, ParameterKind::QueryBias, columnOf(work));
    case Stage::Key:
    case Stage::UnrotatedKey:
        return linear(work, from, ParameterKind::Key, ParameterKind::KeyBias, columnOf(work));
    default:
        return linear(work, from, ParameterKind::Value, ParameterKind::ValueBias, columnOf(work));
    }
}

/// A number of the context as the head's state lets it be.
void context(Work &work, StageAt from) {
    CellExplanation &cell = work.cell;
    const Site site = work.place.site();
    const HeadState state = work.trace.input().interventions.stateOf(site, work.place.head);
    if (state == HeadState::Zero) {
        cell.origin = Origin::Silenced;
        return;
    }
    cell.from = from;
    const SharedMatrix weights = work.matrix(from);
    const SharedMatrix values = work.matrix({Stage::Value, site});
    if (state != HeadState::Mean) {
        cell.origin = Origin::Weighted;
        cell.terms = termsOf(weights.row(work.row), values, work.column);
        return;
    }
    cell.origin = Origin::Mean;
    const Index real = work.trace.queries(site)[work.place.sequence].length;
    for (Index t = 0; t < real; ++t)
        cell.terms.push_back(
            {static_cast<float>(sumOf(termsOf(weights.row(t), values, work.column))),
             1.0f / static_cast<float>(real)});
}

/// What each head's part of the concatenated row adds to a cell of the output.
std::vector<double> headParts(const std::vector<Term> &terms, Index headSize) {
    std::vector<double> parts(terms.size() / static_cast<std::size_t>(headSize));
    for (std::size_t i = 0; i < terms.size(); ++i)
        parts[i / static_cast<std::size_t>(headSize)] += terms[i].product();
    return parts;
}

/// The head's share of the output: its context through its rows of W_O.
void headOutput(Work &work, StageAt from) {
    CellExplanation &cell = work.cell;
    cell.origin = Origin::Linear;
    cell.from = from;
    cell.weights = work.parameter(ParameterKind::Output);
    cell.column = work.column;
    cell.firstRow = work.place.head * work.config().headSize;
    const SharedMatrix input = work.matrix(from);
    cell.terms = termsOf(
        input.row(work.row),
        work.numbers(ParameterKind::Output)->view().rowBlock(cell.firstRow, work.config().headSize),
        work.column);
}

/// What the block hands on, after its output.
void residual(Work &work, StageAt from) {
    const Site site = work.place.site();
    if (work.place.stage == Stage::Residual && work.config().normsAfter())
        return norm(work, from, ParameterKind::NormGain, ParameterKind::NormBias);
    const Stage made = work.trace.has(Stage::Output, site) ? Stage::Output : Stage::Concatenated;
    if (from == StageAt{made, site})
        return same(work, from);
    sum(work, from, {made, site});
}

} // namespace

void attention(Work &work) {
    const Site site = work.place.site();
    const auto from = sourceOf(work.trace, work.place.stage, site);
    if (!from)
        return;
    const Index d = work.config().headSize;
    switch (work.place.stage) {
    case Stage::Norm:
        return norm(work, *from, ParameterKind::NormGain, ParameterKind::NormBias);
    case Stage::Query:
    case Stage::Key:
        if (from->stage == Stage::UnrotatedQuery || from->stage == Stage::UnrotatedKey)
            return rotation(work, *from);
        return project(work, *from);
    case Stage::Context:
        return context(work, *from);
    case Stage::Concatenated:
        work.cell.origin = Origin::Head;
        work.cell.from = from;
        work.cell.head = work.column / d;
        work.cell.headDimension = work.column % d;
        return;
    case Stage::HeadOutputs:
        return headOutput(work, *from);
    case Stage::Output:
        linear(work, *from, ParameterKind::Output, ParameterKind::OutputBias, work.column);
        work.cell.heads = headParts(work.cell.terms, d);
        return;
    case Stage::ResidualSum:
    case Stage::Residual:
        return residual(work, *from);
    default:
        return project(work, *from);
    }
}

} // namespace headlight::core::origin
