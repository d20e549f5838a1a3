#include "core/analysis/head_measures.h"

#include "core/analysis/special_tokens.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

namespace headlight::core {

namespace {

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

bool weightsNoLaterKey(const MatrixView &weights) {
    for (Index i = 0; i < weights.rows; ++i)
        for (Index j = i + 1; j < weights.columns; ++j)
            if (weights(i, j) != 0)
                return false;
    return true;
}

bool isAllPunctuation(std::string_view token) {
    const auto *bytes = reinterpret_cast<const std::uint8_t *>(token.data());
    for (std::size_t at = 0; at < token.size();) {
        UChar32 character = 0;
        U8_NEXT_OR_FFFD(bytes, at, token.size(), character);
        if (!u_ispunct(character)) // P*; the tokenizers' isPunctuation() also has symbols
            return false;
    }
    return !token.empty();
}

} // namespace

VisibleKeys::VisibleKeys(const MatrixView &weights, const MeasuredText &text)
    : m_mask(text.mask), m_keys(weights.columns) {
    if (!m_mask && text.block == Block::SelfAttention)
        m_isCausal = weightsNoLaterKey(weights);
}

Index VisibleKeys::count(Index query) const {
    return m_mask ? m_mask->visibleKeys(query) : std::min(m_keys, m_isCausal ? query + 1 : m_keys);
}

std::optional<double> countedTotal(const MatrixView &weights, const MeasuredText &text,
                                   const VisibleKeys &visible, Index row) {
    if (row >= text.length)
        return std::nullopt;
    double total = 0;
    for (Index j = 0; j < weights.columns; ++j)
        total += std::abs(static_cast<double>(weights(row, j)));
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

HeadMeasures headMeasures(const MatrixView &weights, const MeasuredText &text) {
    const VisibleKeys seen(weights, text);
    const bool isOfItself = text.block == Block::SelfAttention;
    const bool hasSeparators = std::ranges::count(text.separators, true) > 0;
    Mean entropy, distance, previousToken, diagonal, firstToken, induction, separators, sameToken;
    for (Index i = 0; i < std::min(text.length, weights.rows); ++i) {
        const auto size = [&](Index j) { return std::abs(static_cast<double>(weights(i, j))); };
        const std::optional<double> total = countedTotal(weights, text, seen, i);
        if (!total)
            continue;
        const auto share = [&](Index j) { return size(j) / *total; };
        double spread = 0, away = 0;
        for (Index j = 0; j < weights.columns; ++j) {
            const double p = share(j);
            spread -= p > 0 ? p * std::log(p) : 0;
            away += p * static_cast<double>(std::abs(i - j));
        }
        entropy.add(spread);
        if (hasSeparators) {
            double onSeparators = 0;
            for (Index j = 0; j < std::min(weights.columns, std::ssize(text.separators)); ++j)
                onSeparators += text.separators[static_cast<std::size_t>(j)] ? share(j) : 0;
            separators.add(onSeparators);
        }
        if (!isOfItself) {
            firstToken.add(share(0));
            continue;
        }
        distance.add(away);
        if (i > 0)
            firstToken.add(share(0));
        if (seen.sees(i, i))
            diagonal.add(share(i));
        if (seen.sees(i, i - 1))
            previousToken.add(share(i - 1));
        double behind = 0, same = 0;
        bool seesBehind = false, seesSame = false;
        for (Index place = placeBefore(text.earlier, i); place >= 0;
             place = placeBefore(text.earlier, place)) {
            if (seen.sees(i, place)) {
                seesSame = true;
                same += share(place);
            }
            if (const Index key = place + 1; seen.sees(i, key)) {
                seesBehind = true;
                behind += share(key);
            }
        }
        if (seesSame)
            sameToken.add(same);
        if (seesBehind)
            induction.add(behind);
    }
    return {entropy.value(),    distance.value(),   previousToken.value(),
            diagonal.value(),   firstToken.value(), induction.value(),
            separators.value(), sameToken.value(),  {}};
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
