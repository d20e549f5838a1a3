#include "core/analysis/head_measures.h"

#include "core/analysis/special_tokens.h"
#include "core/tensor/in_parallel.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

namespace headlight::core {

namespace {

/// Minimum number of weights for which waking another thread is worthwhile.
constexpr Index kWorthSharing = Index(1) << 16;

Index placeBefore(const EarlierPlaces &earlier, Index place) {
    return place < static_cast<Index>(earlier.size()) ? earlier[static_cast<std::size_t>(place)]
                                                      : -1;
}

/// Running mean; no value if nothing was added.
class Mean {
  public:
    void add(double number) {
        m_sum += number;
        ++m_count;
    }
    std::optional<double> value() const {
        return m_count > 0 ? std::optional(m_sum / static_cast<double>(m_count)) : std::nullopt;
    }

  private:
    double m_sum = 0;
    Index m_count = 0;
};

/// Returns the number of weights up to the last one that is not 0. A causal row has many zeros
/// after it, which add nothing to its sums.
Index endOfWeights(std::span<const float> weights) {
    Index end = std::ssize(weights);
    while (end > 0 && weights[static_cast<std::size_t>(end - 1)] == 0)
        --end;
    return end;
}

bool weightsNoLaterKey(const MatrixView &weights, std::span<const Index> queries) {
    for (const Index i : queries)
        for (Index j = i + 1; j < weights.columns; ++j)
            if (weights(i, j) != 0)
                return false;
    return true;
}

std::vector<Index> allQueriesOf(const MatrixView &weights) {
    std::vector<Index> queries(static_cast<std::size_t>(weights.rows));
    std::iota(queries.begin(), queries.end(), Index(0));
    return queries;
}

bool isAllPunctuation(std::string_view token) {
    const auto *bytes = reinterpret_cast<const std::uint8_t *>(token.data());
    for (std::size_t at = 0; at < token.size();) {
        UChar32 character = 0;
        U8_NEXT_OR_FFFD(bytes, at, token.size(), character);
        if (!u_ispunct(character)) // P* only; the tokenizers' isPunctuation() includes symbols
            return false;
    }
    return !token.empty();
}

} // namespace

VisibleKeys::VisibleKeys(const MatrixView &weights, const MeasuredText &text)
    : VisibleKeys(weights, text, allQueriesOf(weights)) {}

VisibleKeys::VisibleKeys(const MatrixView &weights, const MeasuredText &text,
                         std::span<const Index> queries)
    : m_mask(text.mask), m_keys(weights.columns) {
    if (!m_mask && text.block == Block::SelfAttention)
        m_isCausal = weightsNoLaterKey(weights, queries);
}

Index VisibleKeys::count(Index query) const {
    return m_mask ? m_mask->visibleKeys(query) : std::min(m_keys, m_isCausal ? query + 1 : m_keys);
}

std::optional<double> countedTotal(std::span<const float> weights, const MeasuredText &text,
                                   const VisibleKeys &visible, Index row) {
    if (row >= text.length)
        return std::nullopt;
    double total = 0;
    for (const float weight : weights.first(static_cast<std::size_t>(endOfWeights(weights))))
        total += std::abs(static_cast<double>(weight));
    const bool counts = total > 0 && std::isfinite(total) && visible.count(row) >= 2;
    return counts ? std::optional(total) : std::nullopt;
}

std::vector<bool> separatorsIn(std::span<const Token> tokens) {
    std::vector<bool> separators;
    for (const Token &token : tokens) {
        const std::string_view text = withoutWordMarks(token.text);
        separators.push_back(isWrittenAsSpecial(text) || isAllPunctuation(text));
    }
    return separators;
}

HeadMeasures measuresOfRow(std::span<const float> weights, const MeasuredText &text,
                           const VisibleKeys &visible, Index row) {
    const std::optional<double> total = countedTotal(weights, text, visible, row);
    if (!total)
        return {};
    const auto share = [&](Index key) {
        return std::abs(static_cast<double>(weights[static_cast<std::size_t>(key)])) / *total;
    };
    const bool isOfItself = text.block == Block::SelfAttention;
    HeadMeasures measures;
    double spread = 0, away = 0;
    const Index end = endOfWeights(weights);
    for (Index key = 0; key < end; ++key) {
        const double p = share(key);
        spread -= p > 0 ? p * std::log(p) : 0;
        away += p * static_cast<double>(std::abs(row - key));
    }
    measures.entropy = spread;
    for (Index key = 0; key < std::ssize(text.separators); ++key)
        if (text.separators[static_cast<std::size_t>(key)])
            measures.separators =
                measures.separators.value_or(0) + (key < std::ssize(weights) ? share(key) : 0);
    if (!isOfItself || row > 0)
        measures.firstToken = share(0);
    if (!isOfItself)
        return measures;
    measures.distance = away;
    if (visible.sees(row, row))
        measures.diagonal = share(row);
    if (visible.sees(row, row - 1))
        measures.previousToken = share(row - 1);
    for (Index place = placeBefore(text.earlier, row); place >= 0;
         place = placeBefore(text.earlier, place)) {
        if (visible.sees(row, place))
            measures.sameToken = measures.sameToken.value_or(0) + share(place);
        if (const Index key = place + 1; visible.sees(row, key))
            measures.induction = measures.induction.value_or(0) + share(key);
    }
    return measures;
}

HeadMeasures meanOf(std::span<const HeadMeasures> rows) {
    HeadMeasures means;
    for (const NamedMeasure &named : kEveryMeasure) {
        Mean mean;
        for (const HeadMeasures &row : rows)
            if (const std::optional<double> &value = row.*named.measure)
                mean.add(*value);
        means.*named.measure = mean.value();
    }
    return means;
}

HeadMeasures headMeasures(const MatrixView &weights, const MeasuredText &text) {
    return headMeasures(weights, text, allQueriesOf(weights));
}

HeadMeasures headMeasures(const MatrixView &weights, const MeasuredText &text,
                          std::span<const Index> queries) {
    const VisibleKeys visible(weights, text, queries);
    std::vector<HeadMeasures> rows(queries.size());
    const Index height = std::max<Index>(1, kWorthSharing / std::max<Index>(1, weights.columns));
    const Index count = std::ssize(queries);
    inParallel((count + height - 1) / height, [&](Index block, Index) {
        const Index end = std::min(count, (block + 1) * height);
        for (Index i = block * height; i < end; ++i) {
            const auto at = static_cast<std::size_t>(i);
            rows[at] = measuresOfRow(weights.row(queries[at]), text, visible, queries[at]);
        }
    });
    return meanOf(rows);
}

std::vector<HeadMeasures> headMeasures(const Tensor &weights, const MeasuredText &text) {
    std::vector<HeadMeasures> measures;
    if (weights.shape().rank() != 4)
        return measures;
    for (Index head = 0; head < weights.shape()[1]; ++head)
        measures.push_back(headMeasures(weights.view(text.sequence, head), text));
    return measures;
}

std::string_view nameOf(HeadOrder order) {
    switch (order) {
    case HeadOrder::ByIndex:
        return "index";
    case HeadOrder::Entropy:
        return "entropy";
    case HeadOrder::Distance:
        return "distance";
    case HeadOrder::PreviousToken:
        return "previous-token";
    case HeadOrder::Diagonal:
        return "diagonal";
    case HeadOrder::FirstToken:
        return "first-token";
    case HeadOrder::Induction:
        return "induction";
    }
    return {};
}

std::optional<double> measureOf(const HeadMeasures &measures, HeadOrder order) {
    switch (order) {
    case HeadOrder::ByIndex:
        return std::nullopt;
    case HeadOrder::Entropy:
        return measures.entropy;
    case HeadOrder::Distance:
        return measures.distance;
    case HeadOrder::PreviousToken:
        return measures.previousToken;
    case HeadOrder::Diagonal:
        return measures.diagonal;
    case HeadOrder::FirstToken:
        return measures.firstToken;
    case HeadOrder::Induction:
        return measures.induction;
    }
    return std::nullopt;
}

std::vector<Index> headsInOrder(const std::vector<HeadMeasures> &measures, HeadOrder order) {
    std::vector<Index> heads(measures.size());
    std::iota(heads.begin(), heads.end(), Index(0));
    const bool smallestFirst = order == HeadOrder::Entropy || order == HeadOrder::Distance;
    std::stable_sort(heads.begin(), heads.end(), [&](Index a, Index b) {
        const auto first = measureOf(measures[static_cast<std::size_t>(a)], order);
        const auto second = measureOf(measures[static_cast<std::size_t>(b)], order);
        if (!first || !second)
            return first.has_value() && !second;
        return smallestFirst ? *first < *second : *first > *second;
    });
    return heads;
}

} // namespace headlight::core
