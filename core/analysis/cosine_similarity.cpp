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
    std::vector<double> lengths; // squares of floats neither overflow nor underflow in double
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

Cosine cosineOf(std::span<const float> a, std::span<const float> b) {
    Cosine cosine{dot(a, b), std::sqrt(dot(a, a)), std::sqrt(dot(b, b)), 0, false};
    const auto hasDirection = [](double length) { return length > 0 && std::isfinite(length); };
    cosine.isDefined = hasDirection(cosine.firstLength) && hasDirection(cosine.secondLength);
    if (cosine.isDefined)
        cosine.value =
            std::clamp(cosine.product / cosine.firstLength / cosine.secondLength, -1.0, 1.0);
    return cosine;
}

CrossSimilarity cosineSimilarity(MatrixView x, MatrixView y) {
    const auto lengthsOf = [](MatrixView vectors, std::vector<bool> &hasNoDirection) {
        std::vector<double> lengths;
        for (Index i = 0; i < vectors.rows; ++i) {
            lengths.push_back(std::sqrt(dot(vectors.row(i), vectors.row(i))));
            hasNoDirection.push_back(!(lengths.back() > 0) || !std::isfinite(lengths.back()));
        }
        return lengths;
    };
    CrossSimilarity result{Matrix(x.rows, y.rows), {}, {}};
    const std::vector<double> rows = lengthsOf(x, result.rowHasNoDirection);
    const std::vector<double> columns = lengthsOf(y, result.columnHasNoDirection);
    for (Index i = 0; i < x.rows; ++i)
        for (Index j = 0; j < y.rows; ++j) {
            const auto row = static_cast<std::size_t>(i), column = static_cast<std::size_t>(j);
            if (result.rowHasNoDirection[row] || result.columnHasNoDirection[column])
                continue;
            const double cosine = dot(x.row(i), y.row(j)) / rows[row] / columns[column];
            result.values(i, j) = static_cast<float>(std::clamp(cosine, -1.0, 1.0));
        }
    return result;
}

} // namespace headlight::core
