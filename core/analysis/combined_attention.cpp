#include "core/analysis/combined_attention.h"

#include "core/analysis/attention_flow.h"
#include "core/analysis/attention_row_properties.h"
#include "core/analysis/rows_of_heads.h"
#include "core/cancelled.h"

#include <algorithm>
#include <new>
#include <utility>

namespace headlight::core {

namespace {

constexpr Index kCombinedBytesAtOnce = Index(4) << 20; // bytes of each head's rows
constexpr Index kMaxListedCells = Index(1) << 20;      // cells in one CellMask

std::vector<TokenRange> singleTokens(Index count) {
    std::vector<TokenRange> tokens;
    for (Index token = 0; token < count; ++token)
        tokens.push_back({token, token + 1});
    return tokens;
}

SharedMatrix shared(Matrix matrix) {
    const auto owner = std::make_shared<const Matrix>(std::move(matrix));
    return {owner->view(), owner};
}

/// Builds the combined matrix from rows of tokens, which must be added in order. Leaves out keys,
/// merges words and applies the threshold. One word's tokens may be split over several calls of
/// add().
class CombinedRows {
  public:
    CombinedRows(const CombinationRequest &request, std::span<const TokenRange> queries,
                 std::span<const TokenRange> keys, std::vector<bool> leftOut)
        : m_request(request),
          m_queries(queries),
          m_keys(keys),
          m_leftOut(std::move(leftOut)),
          m_sums(keys.size()),
          m_made(std::ssize(queries), std::ssize(keys)) {}

    /// Returns the number of token rows to add.
    Index tokens() const { return m_queries.empty() ? 0 : m_queries.back().end; }

    void add(Matrix rows) {
        if (std::ranges::find(m_leftOut, true) != m_leftOut.end())
            rows = withoutKeys(std::as_const(rows).view(), m_leftOut);
        if (m_request.words)
            rows = mergedIntoWords(std::as_const(rows).view(), singleTokens(rows.rows()), m_keys);
        const Index firstRow = m_row;
        for (Index row = 0; row < rows.rows(); ++row)
            addToken(std::as_const(rows).view().row(row));
        applyThreshold(m_made.view().rowBlock(firstRow, m_row - firstRow));
    }

    SharedMatrix made() && { return shared(std::move(m_made)); }

  private:
    /// The row of a word is the mean over its tokens.
    void addToken(std::span<const float> numbers) {
        for (std::size_t column = 0; column < m_sums.size(); ++column)
            m_sums[column] += static_cast<double>(numbers[column]);
        const TokenRange &word = m_queries[static_cast<std::size_t>(m_row)];
        if (++m_token < word.end)
            return;
        const auto count = static_cast<double>(word.end - word.begin);
        std::ranges::transform(m_sums, m_made.view().row(m_row).begin(),
                               [count](double sum) { return static_cast<float>(sum / count); });
        std::ranges::fill(m_sums, 0.0);
        ++m_row;
    }

    void applyThreshold(MutableMatrixView rows) const {
        if (m_request.kept.least > 0)
            replace(rows, keptAtLeast(rows, static_cast<float>(m_request.kept.least)));
        if (m_request.kept.share < 1)
            replace(rows, keptShare(rows, m_request.kept.share));
    }
    static void replace(MutableMatrixView rows, const Matrix &by) {
        for (Index row = 0; row < rows.rows; ++row)
            std::ranges::copy(by.view().row(row), rows.row(row).begin());
    }

    const CombinationRequest &m_request;
    std::span<const TokenRange> m_queries, m_keys;
    std::vector<bool> m_leftOut; // one per key token
    std::vector<double> m_sums;  // over the added tokens of the current word
    Matrix m_made;
    Index m_token = 0; // next token to add
    Index m_row = 0;   // row of the word that contains m_token
};

/// Adds one head after another, so that only one of them is in memory.
Result<Matrix> combinedTokens(const RowsOfHeads &rowsOf, const CombinationRequest &request,
                              Rows rows, Index columns, const std::stop_token &stop) {
    std::vector<double> numbers(static_cast<std::size_t>(rows.count * columns));
    for (std::size_t place = 0; place < request.heads.size(); ++place) {
        if (stop.stop_requested())
            return cancelled();
        const Result<SharedMatrix> part = rowsOf.of(request.heads[place], rows, stop);
        if (!part)
            return part.error();
        double *number = numbers.data();
        for (Index row = 0; row < rows.count; ++row)
            for (const float weight : part->row(row)) {
                const auto added = static_cast<double>(weight);
                *number = place == 0                                    ? added
                          : request.combination == Combination::Maximum ? std::max(*number, added)
                                                                        : *number + added;
                ++number;
            }
    }
    const double heads =
        request.combination == Combination::Maximum ? 1 : static_cast<double>(request.heads.size());
    Matrix combined(rows.count, columns);
    std::ranges::transform(numbers, combined.view().data,
                           [heads](double sum) { return static_cast<float>(sum / heads); });
    return combined;
}

Outcome addHeads(CombinedRows &made, const Trace &trace, StepId step, Index sequence,
                 const CombinationRequest &request, const std::stop_token &stop) {
    const RowsOfHeads rowsOf(trace, step, sequence);
    const Index columns = trace.plan()[step].shape.last(0);
    const Index atOnce =
        std::max<Index>(1, kCombinedBytesAtOnce / (columns * static_cast<Index>(sizeof(float))));
    for (Index first = 0; first < made.tokens(); first += atOnce) {
        const Rows rows{first, std::min(atOnce, made.tokens() - first)};
        Result<Matrix> tokens = combinedTokens(rowsOf, request, rows, columns, stop);
        if (!tokens)
            return tokens.error();
        made.add(*std::move(tokens));
    }
    return Done{};
}

Result<TokenMixing> mixedThroughLayers(const Trace &trace, Stack stack, Index sequence,
                                       Combination combination, const std::stop_token &stop) {
    // Without details, so that stages computed on demand are not added to the caller's trace.
    const TracePointer own = trace.withoutDetails();
    if (combination == Combination::Rollout)
        return attentionRollout(*own, stack, sequence, stop);
    const Index tokens = trace.queries({0, Block::SelfAttention, stack})[sequence].length;
    if (tokens > kMaxFlowTokens) // checked here, before large matrices are read
        return tooManyForFlow(tokens);
    const auto layers = mixedLayers(*own, stack, sequence, stop);
    if (!layers)
        return layers.error();
    return attentionFlow(*layers, stop);
}

/// Returns the mask of the tokens, which also hides the columns that are left out. Null if it hides
/// nothing.
std::shared_ptr<const Mask> hiddenTokens(const Trace &trace, AttentionId attention, Index sequence,
                                         bool isThrough, const std::vector<bool> &leftOut,
                                         Index rows) {
    MaskLayers layers = isThrough ? MaskLayers() : trace.maskLayers(attention);
    CellMask cells;
    const Index listed = rows * std::ranges::count(leftOut, true);
    for (std::size_t key = 0; listed <= kMaxListedCells && key < leftOut.size(); ++key)
        for (Index query = 0; leftOut[key] && query < rows; ++query)
            cells.cells.push_back({{}, query, static_cast<Index>(key), false});
    if (!cells.cells.empty())
        layers.push_back(std::move(cells));
    const Index columns = std::ssize(leftOut);
    auto mask = std::make_shared<const Mask>(
        layers, sequence, rows, columns, std::min(columns, trace.keys(attention)[sequence].length));
    return mask->hidesAnything() ? mask : nullptr;
}

/// True if the mask layers of the tokens are also valid for their words.
bool isMaskOfWords(const MaskLayers &layers, const CombinedAttention &made) {
    return std::ranges::find(made.leftOutTokens, true) == made.leftOutTokens.end() &&
           made.queries == made.keys && std::ranges::all_of(layers, [](const MaskLayer &layer) {
               return std::holds_alternative<CausalMask>(layer) ||
                      std::holds_alternative<PaddingMask>(layer); // words have no padding
           });
}

/// Returns the mask of the words: a word is hidden from another one if all its pieces are hidden
/// from all pieces of the other. Null if no word is hidden, if too many are hidden to list, or
/// after a stop.
std::shared_ptr<const Mask> hiddenWords(const Mask *tokens, const MaskLayers &layers,
                                        const CombinedAttention &made,
                                        const std::stop_token &stop) {
    if (!tokens)
        return nullptr;
    const Index rows = made.weights.rows, columns = made.weights.columns;
    const auto maskOf = [&](const MaskLayers &of) {
        auto mask = std::make_shared<const Mask>(of, 0, rows, columns, columns);
        return mask->hidesAnything() ? mask : nullptr;
    };
    if (isMaskOfWords(layers, made))
        return maskOf(layers);
    CellMask cells;
    std::vector<char> isVisible(static_cast<std::size_t>(tokens->keys()));
    for (Index row = 0; row < rows; ++row) {
        if (stop.stop_requested())
            return nullptr;
        std::ranges::fill(isVisible, char(0));
        const TokenRange &query = made.queries[static_cast<std::size_t>(row)];
        for (Index token = query.begin; token < query.end; ++token)
            tokens->forEachRun(token, [&](const MaskRun &run) {
                if (!run.hidden())
                    std::fill(isVisible.begin() + run.first, isVisible.begin() + run.end, char(1));
            });
        for (Index column = 0; column < columns; ++column) {
            const TokenRange &key = made.keys[static_cast<std::size_t>(column)];
            const auto end = isVisible.begin() + key.end;
            if (std::find(isVisible.begin() + key.begin, end, char(1)) == end)
                cells.cells.push_back({{}, row, column, false});
        }
        if (std::ssize(cells.cells) > kMaxListedCells)
            return nullptr;
    }
    return cells.cells.empty() ? nullptr : maskOf({std::move(cells)});
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
                                            const std::stop_token &stop) try {
    const bool isThrough = isThroughLayers(request.combination);
    const auto step = trace.plan().find({Stage::AttentionWeights, attention});
    if (!step && !isThrough)
        return Error{"there are no attention weights here", "", "use another layer"};
    const Index sequences = trace.batch().count();
    if (sequence < 0 || sequence >= sequences)
        return Error{
            {"there is no sequence %1", sequence}, "sequence", {"use 0 to %1", sequences - 1}};
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
    made.leftOutTokens = leftOutKeys(keys.tokens, request.leftOut);
    made.leftOutTokens.resize(static_cast<std::size_t>(columns));
    const auto tokens = made.leftOutTokens.begin();
    for (const TokenRange &word : made.keys)
        made.leftOut.push_back(
            std::all_of(tokens + word.begin, tokens + word.end, [](bool isOut) { return isOut; }));
    CombinedRows combined(request, made.queries, made.keys, made.leftOutTokens);
    if (mixed) {
        Matrix numbers(rows, columns);
        std::ranges::transform(mixed->values, numbers.view().data,
                               [](double number) { return static_cast<float>(number); });
        combined.add(std::move(numbers));
    } else if (const Outcome added = addHeads(combined, trace, *step, sequence, request, stop);
               !added) {
        return added.error();
    }
    made.weights = std::move(combined).made();
    if (!hideWholly(trace, attention, request))
        return made;
    std::shared_ptr<const Mask> hidden =
        hiddenTokens(trace, attention, sequence, isThrough, made.leftOutTokens, rows);
    if (request.words)
        hidden = hiddenWords(hidden.get(), isThrough ? MaskLayers() : trace.maskLayers(attention),
                             made, stop);
    made.hidden = std::move(hidden);
    if (stop.stop_requested())
        return cancelled();
    return made;
} catch (const std::bad_alloc &) {
    return Error{"there is not enough memory for the attention", "text", "use a shorter text"};
}

} // namespace headlight::core
