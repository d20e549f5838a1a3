#include "core/operations/experts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace headlight::core {

void keepLargest(std::span<const float> x, Index count, bool normalises, std::span<float> out) {
    if (std::ranges::any_of(x, [](float p) { return std::isnan(p); })) { // NaN cannot be sorted
        std::ranges::fill(out, std::numeric_limits<float>::quiet_NaN());
        return;
    }
    std::vector<std::size_t> order(x.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    const auto end = order.begin() + std::min(count, std::ssize(order));
    std::partial_sort(order.begin(), end, order.end(), [x](std::size_t a, std::size_t b) {
        return x[a] > x[b] || (x[a] == x[b] && a < b);
    });
    std::ranges::fill(out, 0.0f);
    double sum = 0;
    for (auto it = order.begin(); it != end; ++it)
        sum += static_cast<double>(x[*it]);
    for (auto it = order.begin(); it != end; ++it)
        out[*it] = normalises ? static_cast<float>(static_cast<double>(x[*it]) / sum) : x[*it];
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
