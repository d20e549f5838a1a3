#include "core/operations/layer_norm.h"

#include "core/operations/row_sum.h"

#include <cmath>

namespace headlight::core {

namespace {

struct RowStatistics {
    double mean = 0;
    double inverse = 0; ///< 1/√(variance + epsilon), or 0 if the root is 0
};

RowStatistics rowStatistics(std::span<const float> row, float epsilon) {
    const auto count = static_cast<double>(row.size());
    const double mean =
        rowSum(row.size(), [&](std::size_t c) { return static_cast<double>(row[c]); }) / count;
    // Computed in two passes, because E[x²] − E[x]² loses small variances if the mean is large.
    const double variance = rowSum(row.size(),
                                   [&](std::size_t c) {
                                       const double centred = static_cast<double>(row[c]) - mean;
                                       return centred * centred;
                                   }) /
                            count;
    const double spread = variance + static_cast<double>(epsilon);
    return {mean, spread > 0 ? 1 / std::sqrt(spread) : 0};
}

} // namespace

void layerNorm(MatrixView x, std::span<const float> gain, std::span<const float> bias,
               float epsilon, MutableMatrixView out) {
    assert(x.rows == out.rows && x.columns == out.columns);
    assert(gain.empty() || static_cast<Index>(gain.size()) == x.columns);
    assert(bias.empty() || static_cast<Index>(bias.size()) == x.columns);
    for (Index t = 0; t < x.rows; ++t) {
        const auto from = x.row(t);
        const auto to = out.row(t);
        const auto [mean, inverse] = rowStatistics(from, epsilon);
        for (std::size_t c = 0; c < to.size(); ++c)
            to[c] = static_cast<float>((static_cast<double>(from[c]) - mean) * inverse);
        if (!gain.empty())
            for (std::size_t c = 0; c < to.size(); ++c)
                to[c] *= gain[c];
        if (!bias.empty())
            for (std::size_t c = 0; c < to.size(); ++c)
                to[c] += bias[c];
    }
}

void layerNormBackward(MatrixView x, std::span<const float> gain, float epsilon,
                       MatrixView outGradient, MutableMatrixView xGradient,
                       std::span<float> gainGradient, std::span<float> biasGradient) {
    assert(x.rows == outGradient.rows && x.columns == outGradient.columns);
    assert(x.rows == xGradient.rows && x.columns == xGradient.columns);
    const auto width = static_cast<std::size_t>(x.columns);
    std::vector<double> normed(width), flowing(width);
    std::vector<double> gainSum(gainGradient.size()), biasSum(biasGradient.size());
    for (Index t = 0; t < x.rows; ++t) {
        const auto from = x.row(t), arriving = outGradient.row(t);
        const auto [mean, inverse] = rowStatistics(from, epsilon);
        for (std::size_t c = 0; c < width; ++c) {
            normed[c] = (static_cast<double>(from[c]) - mean) * inverse;
            flowing[c] = static_cast<double>(arriving[c]);
        }
        for (std::size_t c = 0; c < gainSum.size(); ++c)
            gainSum[c] += flowing[c] * normed[c];
        for (std::size_t c = 0; c < biasSum.size(); ++c)
            biasSum[c] += flowing[c];
        for (std::size_t c = 0; c < gain.size(); ++c)
            flowing[c] *= static_cast<double>(gain[c]);
        // The gradient has no component along the mean or the normalised row, because normalisation
        // removes both.
        const auto count = static_cast<double>(width);
        const double along = rowSum(width, [&](std::size_t c) { return flowing[c]; }) / count;
        const double outward =
            rowSum(width, [&](std::size_t c) { return flowing[c] * normed[c]; }) / count;
        const auto to = xGradient.row(t);
        for (std::size_t c = 0; c < width; ++c)
            to[c] = static_cast<float>(inverse * (flowing[c] - along - normed[c] * outward));
    }
    for (std::size_t c = 0; c < gainSum.size(); ++c)
        gainGradient[c] += static_cast<float>(gainSum[c]);
    for (std::size_t c = 0; c < biasSum.size(); ++c)
        biasGradient[c] += static_cast<float>(biasSum[c]);
}

} // namespace headlight::core
