#include "core/operations/norms.h"

#include "core/operations/row_sum.h"

#include <algorithm>
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

/// Multiplies the row by the gain, and then adds the bias, if they exist.
void applyGainAndBias(std::span<float> row, std::span<const float> gain,
                      std::span<const float> bias = {}) {
    if (!gain.empty())
        for (std::size_t c = 0; c < row.size(); ++c)
            row[c] *= gain[c];
    if (!bias.empty())
        for (std::size_t c = 0; c < row.size(); ++c)
            row[c] += bias[c];
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
        applyGainAndBias(to, gain, bias);
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
        applyGainAndBias(to, gain);
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

namespace {

struct ColumnStatistics {
    std::vector<double> mean;
    std::vector<double> inverse; ///< 1/√(variance + epsilon), or 0 if the root is 0
    double count = 1;            ///< number of tokens, at least 1
};

template <typename Use>
void eachRealRow(std::span<const MatrixView> x, std::span<const Index> lengths, Use use) {
    for (std::size_t b = 0; b < x.size(); ++b)
        for (Index t = 0; t < lengths[b]; ++t)
            use(x[b].row(t));
}

ColumnStatistics columnStatistics(std::span<const MatrixView> x, std::span<const Index> lengths,
                                  float epsilon) {
    assert(x.size() == lengths.size());
    const std::size_t width = x.empty() ? 0 : static_cast<std::size_t>(x[0].columns);
    ColumnStatistics of{std::vector<double>(width), std::vector<double>(width)};
    Index count = 0;
    for (const Index length : lengths)
        count += length;
    of.count = static_cast<double>(std::max<Index>(count, 1));
    eachRealRow(x, lengths, [&](std::span<const float> row) {
        for (std::size_t c = 0; c < width; ++c)
            of.mean[c] += static_cast<double>(row[c]);
    });
    for (double &mean : of.mean)
        mean /= of.count;
    std::vector<double> &square = of.inverse;
    eachRealRow(x, lengths, [&](std::span<const float> row) {
        for (std::size_t c = 0; c < width; ++c) {
            const double centred = static_cast<double>(row[c]) - of.mean[c];
            square[c] += centred * centred;
        }
    });
    for (double &inverse : of.inverse) {
        const double spread = inverse / of.count + static_cast<double>(epsilon);
        inverse = spread > 0 ? 1 / std::sqrt(spread) : 0;
    }
    return of;
}

} // namespace

void batchNorm(std::span<const MatrixView> x, std::span<const Index> lengths,
               std::span<const float> gain, std::span<const float> bias, float epsilon,
               std::span<const MutableMatrixView> out) {
    assert(x.size() == out.size());
    const ColumnStatistics of = columnStatistics(x, lengths, epsilon);
    for (std::size_t b = 0; b < x.size(); ++b) {
        assert(x[b].rows == out[b].rows && x[b].columns == out[b].columns);
        for (Index t = 0; t < x[b].rows; ++t) {
            const auto from = x[b].row(t);
            const auto to = out[b].row(t);
            for (std::size_t c = 0; c < to.size(); ++c)
                to[c] =
                    static_cast<float>((static_cast<double>(from[c]) - of.mean[c]) * of.inverse[c]);
            applyGainAndBias(to, gain, bias);
        }
    }
}

void batchNormBackward(std::span<const MatrixView> x, std::span<const Index> lengths,
                       std::span<const float> gain, float epsilon,
                       std::span<const MatrixView> outGradients,
                       std::span<const MutableMatrixView> xGradients, std::span<float> gainGradient,
                       std::span<float> biasGradient) {
    assert(x.size() == outGradients.size() && x.size() == xGradients.size());
    const ColumnStatistics of = columnStatistics(x, lengths, epsilon);
    const std::size_t width = of.mean.size();
    // Sums include padding rows, whose outputs use the same statistics.
    std::vector<double> along(width), outward(width);
    for (std::size_t b = 0; b < x.size(); ++b)
        for (Index t = 0; t < x[b].rows; ++t) {
            const auto from = x[b].row(t), arriving = outGradients[b].row(t);
            for (std::size_t c = 0; c < width; ++c) {
                const auto flowing = static_cast<double>(arriving[c]);
                along[c] += flowing;
                outward[c] += flowing * (static_cast<double>(from[c]) - of.mean[c]) * of.inverse[c];
            }
        }
    for (std::size_t c = 0; c < gainGradient.size(); ++c)
        gainGradient[c] += static_cast<float>(outward[c]);
    for (std::size_t c = 0; c < biasGradient.size(); ++c)
        biasGradient[c] += static_cast<float>(along[c]);

    std::vector<double> factor = of.inverse;
    for (std::size_t c = 0; c < gain.size(); ++c)
        factor[c] *= static_cast<double>(gain[c]);
    for (std::size_t c = 0; c < width; ++c) {
        along[c] /= of.count;
        outward[c] /= of.count;
    }
    for (std::size_t b = 0; b < x.size(); ++b)
        for (Index t = 0; t < x[b].rows; ++t) {
            const auto from = x[b].row(t), arriving = outGradients[b].row(t);
            const auto to = xGradients[b].row(t);
            const double real = t < lengths[b] ? 1 : 0;
            for (std::size_t c = 0; c < width; ++c) {
                const double normed = (static_cast<double>(from[c]) - of.mean[c]) * of.inverse[c];
                to[c] = static_cast<float>(factor[c] * (static_cast<double>(arriving[c]) -
                                                        real * (along[c] + normed * outward[c])));
            }
        }
}

} // namespace headlight::core
