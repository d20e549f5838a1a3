#include "core/analysis/cosine_similarity.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

namespace {

double dot(std::span<const float> a, std::span<const float> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    return sum;
}

} // namespace

CosineSimilarity cosineSimilarity(MatrixView x) {
    CosineSimilarity result{Matrix(x.rows, x.rows), {}};
    std::vector<double> lengths; // float squares neither overflow nor vanish in double
    for (Index i = 0; i < x.rows; ++i) {
        const double length = std::sqrt(dot(x.row(i), x.row(i)));
        lengths.push_back(length);
        result.hasNoDirection.push_back(!(length > 0) || !std::isfinite(length));
    }
    for (Index i = 0; i < x.rows; ++i) {
        const auto first = static_cast<std::size_t>(i);
        if (result.hasNoDirection[first])
            continue;
        result.values(i, i) = 1;
        for (Index j = 0; j < i; ++j) {
            const auto second = static_cast<std::size_t>(j);
            if (result.hasNoDirection[second])
                continue;
            const double cosine = dot(x.row(i), x.row(j)) / lengths[first] / lengths[second];
            result.values(i, j) = result.values(j, i) =
                static_cast<float>(std::clamp(cosine, -1.0, 1.0));
        }
    }
    return result;
}

} // namespace headlight::core
