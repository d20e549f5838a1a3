#include "core/analysis/head_measures.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

namespace headlight::core {

namespace {

Index placeBefore(const EarlierPlaces &earlier, Index place) {
    return place < static_cast<Index>(earlier.size()) ? earlier[static_cast<std::size_t>(place)]
                                                      : -1;
}

HeadMeasures measure(const MatrixView &weights, Index length, const EarlierPlaces &earlier) {
    HeadMeasures sums;
    Index queries = 0;
    Index withPrevious = 0;
    double induction = 0;
    Index withEarlier = 0;
    for (Index i = 0; i < std::min(length, weights.rows); ++i) {
        const auto size = [&](Index j) { return std::abs(static_cast<double>(weights(i, j))); };
        double total = 0;
        for (Index j = 0; j < weights.columns; ++j)
            total += size(j);
        if (total == 0 || !std::isfinite(total))
            continue;
        const auto share = [&](Index j) { return size(j) / total; };
        for (Index j = 0; j < weights.columns; ++j) {
            const double p = share(j);
            sums.entropy -= p > 0 ? p * std::log(p) : 0;
            sums.distance += p * static_cast<double>(std::abs(i - j));
        }
        ++queries;
        sums.firstToken += share(0);
        if (i < weights.columns)
            sums.diagonal += share(i);
        if (i > 0 && i - 1 < weights.columns) {
            ++withPrevious;
            sums.previousToken += share(i - 1);
        }
        double behind = 0;
        bool seesOne = false; // a weight of exactly 0 is that of a hidden key
        for (Index place = placeBefore(earlier, i); place >= 0; place = placeBefore(earlier, place))
            if (const Index key = place + 1; key < weights.columns && weights(i, key) != 0) {
                seesOne = true;
                behind += share(key);
            }
        if (seesOne) {
            ++withEarlier;
            induction += behind;
        }
    }
    const auto count = static_cast<double>(std::max<Index>(1, queries));
    return {sums.entropy / count,
            sums.distance / count,
            sums.previousToken / static_cast<double>(std::max<Index>(1, withPrevious)),
            sums.diagonal / count,
            sums.firstToken / count,
            withEarlier > 0 ? std::optional(induction / static_cast<double>(withEarlier))
                            : std::nullopt};
}

} // namespace

std::vector<HeadMeasures> headMeasures(const Tensor &weights, Index sequence, Index length,
                                       const EarlierPlaces &earlier) {
    std::vector<HeadMeasures> measures;
    if (weights.shape().rank() != 4)
        return measures;
    for (Index head = 0; head < weights.shape()[1]; ++head)
        measures.push_back(measure(weights.view(sequence, head), length, earlier));
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

std::optional<HeadOrder> findHeadOrder(std::string_view name) {
    for (const HeadOrder order : kHeadOrders)
        if (nameOf(order) == name)
            return order;
    return std::nullopt;
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
