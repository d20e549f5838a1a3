#include "core/analysis/combined_attention.h"

#include "core/analysis/attention_flow.h"
#include "core/analysis/attention_row_properties.h"
#include "core/cancelled.h"
#include "core/transformer/run/forward.h"

#include <algorithm>
#include <utility>

namespace headlight::core {

namespace {

constexpr Index kCombinedBytesAtOnce = Index(4) << 20; // read from each head
constexpr Index kMaxListedCells = Index(1) << 20;      // cells of a mask of words

std::vector<TokenRange> singleTokens(Index count) {
    std::vector<TokenRange> tokens;
    for (Index token = 0; token < count; ++token)
        tokens.push_back({token, token + 1});
    return tokens;
}

/// Rows of the weights of each head, read from the trace or computed.
class RowsOfHeads {
  public:
    RowsOfHeads(const Trace &trace, StepId step, Index sequence)
        : m_trace(trace.withoutDetails()),
          m_step(step),
          m_sequence(trace.plan()[step].sequences() == 1 ? 0 : sequence),
          m_held(trace.isByHead(step) ? Tensor() : trace.held(step)) {
        for (StepId id = 0; m_held.isNull() && id < trace.plan().size(); ++id)
            m_known.push_back(trace.held(id));
    }

    Result<SharedMatrix> of(Index head, Rows rows, const std::stop_token &stop) const {
        const Index own = m_trace->headOf(m_step, head);
        if (!m_held.isNull())
            return m_held.matrix(m_sequence, own).rowBlock(rows.first, rows.count);
        return makeRows(*m_trace, m_known, m_step, m_sequence, own, rows, stop);
    }

  private:
    TracePointer m_trace;
    StepId m_step;
    Index m_sequence;
    Tensor m_held;               // all heads; null: computed by rows
    std::vector<Tensor> m_known; // computed stages, by step
};

/// Changes each row of the combined weights: leaves out keys, merges words, applies the threshold.
class RowChanges {
  public:
    RowChanges(const CombinationRequest &request, std::vector<bool> leftOut,
               std::span<const TokenRange> keys)
        : m_request(request), m_leftOut(std::move(leftOut)), m_keys(keys) {}

    /// `rows` are the tokens of `queries`, which counts from the first of them.
    Matrix of(Matrix rows, std::span<const TokenRange> queries) const {
        if (std::ranges::find(m_leftOut, true) != m_leftOut.end())
            rows = withoutKeys(std::as_const(rows).view(), m_leftOut);
        if (m_request.words)
            rows = mergedIntoWords(std::as_const(rows).view(), queries, m_keys);
        if (m_request.kept.least > 0)
            rows =
                keptAtLeast(std::as_const(rows).view(), static_cast<float>(m_request.kept.least));
        if (m_request.kept.share < 1)
            rows = keptShare(std::as_const(rows).view(), m_request.kept.share);
        return rows;
    }

  private:
    const CombinationRequest &m_request;
    std::vector<bool> m_leftOut; // one per token
    std::span<const TokenRange> m_keys;
};

std::vector<TokenRange> movedBy(std::span<const TokenRange> ranges, Index tokens) {
    std::vector<TokenRange> moved;
    for (const TokenRange &range : ranges)
        moved.push_back({range.begin + tokens, range.end + tokens});
    return moved;
}

SharedMatrix shared(Matrix matrix) {
    const auto owner = std::make_shared<const Matrix>(std::move(matrix));
    return {owner->view(), owner};
}

Result<SharedMatrix> headsTogether(const Trace &trace, StepId step, Index sequence,
                                   const CombinationRequest &request, const RowChanges &changes,
                                   std::span<const TokenRange> queries, Index columns,
                                   const std::stop_token &stop) {
    const RowsOfHeads rowsOf(trace, step, sequence);
    const Index tokens = trace.plan()[step].shape.last(0);
    const Index atOnce =
        std::max<Index>(1, kCombinedBytesAtOnce / (tokens * static_cast<Index>(sizeof(float))));
    Matrix combined(std::ssize(queries), columns);
    for (Index first = 0; first < std::ssize(queries);) {
        // Whole words, at least one.
        Index end = first + 1;
        const Index token = queries[static_cast<std::size_t>(first)].begin;
        while (end < std::ssize(queries) &&
               queries[static_cast<std::size_t>(end)].end - token <= atOnce)
            ++end;
        const auto block =
            queries.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(end - first));
        const Rows rows{token, block.back().end - token};
        std::vector<SharedMatrix> heads;
        std::vector<MatrixView> views;
        for (const Index head : request.heads) {
            if (stop.stop_requested())
                return cancelled();
            Result<SharedMatrix> part = rowsOf.of(head, rows, stop);
            if (!part)
                return part.error();
            heads.push_back(*std::move(part));
            views.push_back(heads.back().view());
        }
        const Matrix made = changes.of(
            combinedHeads(views, request.combination == Combination::Maximum ? HeadSummary::Maximum
                                                                             : HeadSummary::Mean),
            movedBy(block, -token));
        std::ranges::copy(made.values(), combined.view().row(first).data());
        first = end;
    }
    return shared(std::move(combined));
}

Result<TokenMixing> mixedThroughLayers(const Trace &trace, Stack stack, Index sequence,
                                       Combination combination, const std::stop_token &stop) {
    // The stages of its layers are computed one layer after another.
    const TracePointer own = trace.withoutDetails();
    if (combination == Combination::Rollout)
        return attentionRollout(*own, stack, sequence, stop);
    const Index tokens = trace.queries({0, Block::SelfAttention, stack})[sequence].length;
    if (tokens > kMaxFlowTokens) // before the weights of many tokens are read
        return attentionFlow(std::vector{TokenMixing(tokens)}, stop);
    const auto layers = mixedLayers(*own, stack, sequence, stop);
    if (!layers)
        return layers.error();
    return attentionFlow(*layers, stop);
}

/// The mask of the tokens with the columns that are left out.
std::shared_ptr<const Mask> hiddenTokens(const Trace &trace, AttentionId attention, Index sequence,
                                         bool isThrough, const std::vector<bool> &leftOut,
                                         Index rows) {
    MaskLayers layers = isThrough ? MaskLayers() : trace.maskLayers(attention);
    CellMask cells;
    for (std::size_t key = 0; key < leftOut.size(); ++key)
        for (Index query = 0; leftOut[key] && query < rows; ++query)
            cells.cells.push_back({{}, query, static_cast<Index>(key), false});
    if (!cells.cells.empty() && std::ssize(cells.cells) <= kMaxListedCells)
        layers.push_back(std::move(cells));
    const Index columns = std::ssize(leftOut);
    auto mask = std::make_shared<const Mask>(
        layers, sequence, rows, columns, std::min(columns, trace.keys(attention)[sequence].length));
    return mask->hidesAnything() ? mask : nullptr;
}

/// A word is hidden from another one if all their pieces are.
std::shared_ptr<const Mask> hiddenWords(const Mask *tokens, const CombinedAttention &made) {
    const auto &[weights, queries, keys, leftOut, hidden] = made;
    if (!tokens || weights.rows * weights.columns > kMaxListedCells)
        return nullptr;
    CellMask cells;
    const auto isHidden = [&](const TokenRange &query, const TokenRange &key) {
        for (Index i = query.begin; i < query.end; ++i)
            for (Index j = key.begin; j < key.end; ++j)
                if (!tokens->hidden(i, j))
                    return false;
        return true;
    };
    for (Index row = 0; row < weights.rows; ++row)
        for (Index column = 0; column < weights.columns; ++column)
            if (isHidden(queries[static_cast<std::size_t>(row)],
                         keys[static_cast<std::size_t>(column)]))
                cells.cells.push_back({{}, row, column, false});
    if (cells.cells.empty())
        return nullptr;
    return std::make_shared<const Mask>(MaskLayers{std::move(cells)}, 0, weights.rows,
                                        weights.columns, weights.columns);
}

bool hideWholly(const Trace &trace, AttentionId attention, const CombinationRequest &request) {
    return isThroughLayers(request.combination) ||
           std::ranges::all_of(request.heads, [&](Index head) {
               return weightingOf(trace, attention, head).hidesWholly;
           });
}

} // namespace

std::string_view nameOf(Combination combination) {
    constexpr std::array<std::string_view, kCombinations.size()> names{"none", "mean", "max",
                                                                       "rollout", "flow"};
    return names[static_cast<std::size_t>(combination)];
}

std::optional<Index> CombinedAttention::placeOf(const std::vector<TokenRange> &ranges,
                                                Index token) {
    const auto found = std::ranges::upper_bound(ranges, token, {}, &TokenRange::end);
    if (found == ranges.end() || token < found->begin)
        return std::nullopt;
    return found - ranges.begin();
}

Result<CombinedAttention> combinedAttention(const Trace &trace, AttentionId attention,
                                            Index sequence, const CombinationRequest &request,
                                            const std::stop_token &stop) {
    const bool isThrough = isThroughLayers(request.combination);
    const auto step = trace.plan().find({Stage::AttentionWeights, attention});
    if (!step && !isThrough)
        return Error{"there are no attention weights here", "", "give another layer"};
    std::optional<TokenMixing> mixed;
    if (isThrough) {
        Result<TokenMixing> through =
            mixedThroughLayers(trace, attention.stack, sequence, request.combination, stop);
        if (!through)
            return through.error();
        mixed = *std::move(through);
        attention = {0, Block::SelfAttention, attention.stack};
    }
    const Sequence &read = trace.queries(attention)[sequence];
    const Sequence &keys = trace.keys(attention)[sequence];
    const Index rows = mixed ? mixed->size : trace.plan()[*step].shape.last(1);
    const Index columns = mixed ? mixed->size : trace.plan()[*step].shape.last(0);
    CombinedAttention made;
    made.queries = request.words ? wordsOf(read.tokens, read.length) : singleTokens(rows);
    made.keys = request.words ? wordsOf(keys.tokens, keys.length) : singleTokens(columns);
    std::vector<bool> leftOut = leftOutKeys(keys.tokens, request.leftOut);
    leftOut.resize(static_cast<std::size_t>(columns));
    for (const TokenRange &word : made.keys)
        made.leftOut.push_back(std::all_of(leftOut.begin() + word.begin, leftOut.begin() + word.end,
                                           [](bool isOut) { return isOut; }));
    const RowChanges changes(request, leftOut, made.keys);
    if (mixed) {
        Matrix numbers(rows, columns);
        std::ranges::transform(mixed->values, numbers.view().data,
                               [](double number) { return static_cast<float>(number); });
        made.weights = shared(changes.of(std::move(numbers), made.queries));
    } else {
        Result<SharedMatrix> combined = headsTogether(trace, *step, sequence, request, changes,
                                                      made.queries, std::ssize(made.keys), stop);
        if (!combined)
            return combined.error();
        made.weights = *std::move(combined);
    }
    if (!hideWholly(trace, attention, request))
        return made;
    std::shared_ptr<const Mask> hidden =
        hiddenTokens(trace, attention, sequence, isThrough, leftOut, rows);
    made.hidden = request.words ? hiddenWords(hidden.get(), made) : std::move(hidden);
    return made;
}

} // namespace headlight::core
