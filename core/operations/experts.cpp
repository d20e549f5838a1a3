#include "core/operations/experts.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace headlight::core {

namespace {

/// Returns the indices of the `count` largest numbers. Of equal numbers, the first ones count as
/// larger.
std::vector<std::size_t> largestOf(std::span<const float> numbers, Index count) {
    std::vector<std::size_t> order(numbers.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    const auto end = order.begin() + std::min(count, std::ssize(order));
    std::partial_sort(order.begin(), end, order.end(), [numbers](std::size_t a, std::size_t b) {
        return numbers[a] > numbers[b] || (numbers[a] == numbers[b] && a < b);
    });
    order.erase(end, order.end());
    return order;
}

/// Returns the scores with −∞ in all groups but the kept ones.
std::vector<float> inKeptGroups(const KeepLargest &of, std::span<const float> scores) {
    const std::size_t size = scores.size() / static_cast<std::size_t>(of.groups);
    std::vector<float> sums, made(scores.size(), -std::numeric_limits<float>::infinity());
    for (std::size_t first = 0; first + size <= scores.size(); first += size) {
        const std::span<const float> group = scores.subspan(first, size);
        float sum = 0;
        for (const std::size_t one : largestOf(group, 2))
            sum += group[one];
        sums.push_back(sum);
    }
    for (const std::size_t group : largestOf(sums, of.keptGroups))
        std::ranges::copy(scores.subspan(group * size, size),
                          made.begin() + static_cast<std::ptrdiff_t>(group * size));
    return made;
}

} // namespace

void keepLargest(const KeepLargest &of, std::span<const float> x, std::span<const float> scores,
                 std::span<float> out) {
    const auto isNan = [](float p) { return std::isnan(p); };
    if (std::ranges::any_of(x, isNan) || std::ranges::any_of(scores, isNan)) { // NaN has no order
        std::ranges::fill(out, std::numeric_limits<float>::quiet_NaN());
        return;
    }
    const std::vector<std::size_t> chosen =
        of.groups > 1 ? largestOf(inKeptGroups(of, scores), of.count) : largestOf(scores, of.count);
    std::ranges::fill(out, 0.0f);
    double sum = 1e-20; // as in Hugging Face's transformers, to avoid 0 ÷ 0
    for (const std::size_t one : chosen)
        sum += static_cast<double>(x[one]);
    for (const std::size_t one : chosen)
        out[one] =
            (of.normalises ? static_cast<float>(static_cast<double>(x[one]) / sum) : x[one]) *
            of.factor;
}

void mixExperts(std::span<const float> outputs, std::span<const float> weights,
                std::span<float> out) {
    std::ranges::fill(out, 0.0f);
    for (std::size_t expert = 0; expert < weights.size(); ++expert) {
        const float weight = weights[expert];
        if (weight == 0)
            continue;
        const std::span<const float> own = outputs.subspan(expert * out.size(), out.size());
        for (std::size_t c = 0; c < out.size(); ++c)
            out[c] += weight * own[c];
    }
}

void addExperts(std::span<const float> outputs, std::span<const float> weights,
                std::span<float> out) {
    std::ranges::fill(out, 0.0f);
    for (std::size_t expert = 0; expert < weights.size(); ++expert)
        if (weights[expert] != 0)
            std::ranges::transform(out, outputs.subspan(expert * out.size(), out.size()),
                                   out.begin(), std::plus());
}

void scaleForExperts(std::span<const float> x, std::span<const float> weights,
                     std::span<float> out) {
    for (std::size_t expert = 0; expert < weights.size(); ++expert) {
        const std::span<float> own = out.subspan(expert * x.size(), x.size());
        if (weights[expert] == 0) // avoids 0 · ∞, which is NaN
            std::ranges::fill(own, 0.0f);
        else
            std::ranges::transform(x, own.begin(), [weight = weights[expert]](float number) {
                return weight * number;
            });
    }
}

ChosenRows::ChosenRows(MatrixView weights, Index expert) {
    for (Index row = 0; row < weights.rows; ++row)
        if (weights(row, expert) != 0)
            m_rows.push_back(row);
}

Matrix ChosenRows::gathered(MatrixView x) const {
    Matrix rows(count(), x.columns);
    for (Index row = 0; row < count(); ++row)
        std::ranges::copy(x.row(m_rows[static_cast<std::size_t>(row)]),
                          rows.view().row(row).begin());
    return rows;
}

void ChosenRows::scatter(MatrixView made, MutableMatrixView out) const {
    for (Index row = 0; row < out.rows; ++row)
        std::ranges::fill(out.row(row), 0.0f);
    for (Index row = 0; row < count(); ++row)
        std::ranges::copy(made.row(row), out.row(m_rows[static_cast<std::size_t>(row)]).begin());
}

} // namespace headlight::core
