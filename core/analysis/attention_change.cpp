#include "core/analysis/attention_change.h"

#include "core/analysis/cosine_similarity.h"
#include "core/explain/sources.h"
#include "core/selection/selected.h"

#include <algorithm>
#include <functional>

namespace headlight::core {

namespace {

/// Returns the matrix, or an empty one if it would have to be computed.
SharedMatrix readyMatrix(const Trace &trace, Selection selection, StageId at) {
    selection.stage = at.stage;
    selection.setAttention(at.attention);
    if (!trace.has(at.stage, at.attention) ||
        !trace.isReady(at.stage, at.attention, selection.sequence, selection.head))
        return {};
    return matrixAt(trace, selection);
}

/// Returns the cosines of one row with the first `count` rows.
CrossSimilarity cosinesOf(const SharedMatrix &vectors, Index token, Index count) {
    const SharedMatrix own = vectors.rowBlock(token, 1), all = vectors.rowBlock(0, count);
    return cosineSimilarity(own.view(), all.view());
}

std::optional<double> cosineAt(const CrossSimilarity &cosines, Index other) {
    if (cosines.rowHasNoDirection[0] ||
        cosines.columnHasNoDirection[static_cast<std::size_t>(other)])
        return std::nullopt;
    return static_cast<double>(cosines.values(0, other));
}

} // namespace

bool readsEmbeddings(AttentionId attention) {
    return attention.layer == 0 && attention.block == Block::SelfAttention;
}

StageId beforeAttention(const Trace &trace, AttentionId attention) {
    if (readsEmbeddings(attention))
        return {Stage::Embeddings, attention};
    return attentionInput(trace, attention).value_or(StageId{Stage::LayerInput, attention});
}

Stage afterAttention(const Trace &trace, AttentionId attention, Stage wanted) {
    return trace.has(wanted, attention) ? wanted : Stage::Concatenated;
}

std::vector<AttentionChange> attentionChanges(const Trace &trace, const Selection &selection,
                                              Stage after, Index token) {
    const AttentionId attention = selection.attention();
    const SharedMatrix first = readyMatrix(trace, selection, beforeAttention(trace, attention));
    const SharedMatrix second =
        readyMatrix(trace, selection, {afterAttention(trace, attention, after), attention});
    if (first.empty() || second.empty())
        return {};
    const Index length =
        std::min({trace.queries(attention)[selection.sequence].length, first.rows, second.rows});
    if (token < 0 || token >= length)
        return {};
    const CrossSimilarity before = cosinesOf(first, token, length),
                          then = cosinesOf(second, token, length);
    std::vector<AttentionChange> changes;
    for (Index other = 0; other < length; ++other)
        if (other != token)
            changes.push_back({other, cosineAt(before, other), cosineAt(then, other)});
    std::ranges::stable_sort(changes, std::greater<>(), &AttentionChange::change);
    return changes;
}

} // namespace headlight::core
