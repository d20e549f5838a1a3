#include "core/operations/rms_norm.h"

#include "core/operations/row_sum.h"

#include <cmath>

namespace headlight::core {

namespace {

/// Returns 1/√(mean square + epsilon), or 0 if that sum is zero.
double inverseOf(std::span<const float> row, float epsilon) {
    const double square =
        rowSum(row.size(),
               [&](std::size_t c) {
                   return static_cast<double>(row[c]) * static_cast<double>(row[c]);
               }) /
        static_cast<double>(row.size());
    const double spread = square + static_cast<double>(epsilon);
    return spread > 0 ? 1 / std::sqrt(spread) : 0;
}

} // namespace

void rmsNorm(MatrixView x, std::span<const float> gain, float epsilon, MutableMatrixView out) {
    assert(x.rows == out.rows && x.columns == out.columns);
    assert(gain.empty() || static_cast<Index>(gain.size()) == x.columns);
    for (Index t = 0; t < x.rows; ++t) {
        const auto from = x.row(t);
        const auto to = out.row(t);
        const double inverse = inverseOf(from, epsilon);
        for (std::size_t c = 0; c < to.size(); ++c)
            to[c] = static_cast<float>(static_cast<double>(from[c]) * inverse);
        if (!gain.empty())
            for (std::size_t c = 0; c < to.size(); ++c)
                to[c] *= gain[c];
    }
}

void rmsNormBackward(MatrixView x, std::span<const float> gain, float epsilon,
                     MatrixView outGradient, MutableMatrixView xGradient,
                     std::span<float> gainGradient) {
    assert(x.rows == outGradient.rows && x.columns == outGradient.columns);
    assert(x.rows == xGradient.rows && x.columns == xGradient.columns);
    const auto width = static_cast<std::size_t>(x.columns);
    std::vector<double> normed(width), flowing(width);
    std::vector<double> gainSum(gainGradient.size());
    for (Index t = 0; t < x.rows; ++t) {
        const auto from = x.row(t), arriving = outGradient.row(t);
        const double inverse = inverseOf(from, epsilon);
        for (std::size_t c = 0; c < width; ++c) {
            normed[c] = static_cast<double>(from[c]) * inverse;
            flowing[c] = static_cast<double>(arriving[c]);
        }
        for (std::size_t c = 0; c < gainSum.size(); ++c)
            gainSum[c] += flowing[c] * normed[c];
        for (std::size_t c = 0; c < gain.size(); ++c)
            flowing[c] *= static_cast<double>(gain[c]);
        // The gradient has no component along the normalised row, because normalisation removes its
        // length.
        const double outward =
            rowSum(width, [&](std::size_t c) { return flowing[c] * normed[c]; }) /
            static_cast<double>(width);
        const auto to = xGradient.row(t);
        for (std::size_t c = 0; c < width; ++c)
            to[c] = static_cast<float>(inverse * (flowing[c] - normed[c] * outward));
    }
    for (std::size_t c = 0; c < gainSum.size(); ++c)
        gainGradient[c] += static_cast<float>(gainSum[c]);
}

} // namespace headlight::core
