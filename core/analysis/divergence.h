// The Jensen–Shannon divergence of two distributions.
#pragma once

#include "core/tensor/matrix.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

/// Returns the divergence, base 2: from 0 for equal distributions to 1. `p` and `q` return the
/// share of an entry (0 … count − 1) as double. The shares of each distribution must sum to 1.
template <typename P, typename Q>
double jensenShannonOf(Index count, P p, Q q) {
    const auto part = [](double share, double mean) {
        return share > 0 ? share * std::log2(share / mean) : 0;
    };
    double sum = 0;
    for (Index i = 0; i < count; ++i) {
        const double first = p(i), second = q(i);
        const double mean = (first + second) / 2;
        sum += (part(first, mean) + part(second, mean)) / 2;
    }
    return std::clamp(sum, 0.0, 1.0);
}

} // namespace headlight::core
