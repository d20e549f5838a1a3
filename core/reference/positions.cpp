// Representations of token order: sinusoids, rotations, and biases of the scores.
#include "core/reference/pass.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headlight::core::reference {

namespace {

constexpr double kTurn = 2 * std::numbers::pi;

/// Returns the index i of the pair of dimensions that rotates `turns` times within the length of
/// the training texts (Peng et al. 2023, section 3.2).
double pairWithTurns(const RotaryConfig &rotary, double width, double turns) {
    const double base = double(rotary.base);
    return width * std::log(double(rotary.originalLength) / (turns * kTurn)) / (2 * std::log(base));
}

/// Returns the share of its frequency that pair i keeps with YaRN (Peng et al. 2023): all of it if
/// it rotates often in a text, and none if it rotates less than once.
double keptByYarn(const RotaryConfig &rotary, double width, double i) {
    const double first = pairWithTurns(rotary, width, double(rotary.betaFast));
    const double last = pairWithTurns(rotary, width, double(rotary.betaSlow));
    const double low = std::max(0.0, rotary.truncates ? std::floor(first) : first);
    double high = std::min(width - 1, rotary.truncates ? std::ceil(last) : last);
    if (high == low)
        high += 0.001;
    return 1 - std::clamp((i - low) / (high - low), 0.0, 1.0);
}

/// Returns the share of its frequency that a pair keeps in Llama 3.1. Between the two factors, it
/// is linear in the number of rotations.
double keptByLlama(const RotaryConfig &rotary, double frequency) {
    const double low = double(rotary.lowFrequencyFactor);
    const double high = double(rotary.highFrequencyFactor);
    const double turns = double(rotary.originalLength) * frequency / kTurn;
    return std::clamp((turns - low) / (high - low), 0.0, 1.0);
}

/// Returns θ_i = base^(−2i/width), radians per token of each pair (Su et al. 2021, section 3.2.2),
/// scaled for texts longer than the training texts.
VectorXd frequenciesOf(const RotaryConfig &rotary, Index pairs, Index length) {
    const double width = double(2 * pairs), factor = double(rotary.factor);
    double base = double(rotary.base);
    if (rotary.scaling == RotaryScaling::Dynamic && length > rotary.originalLength && width > 2)
        base *= std::pow(factor * double(length) / double(rotary.originalLength) - (factor - 1),
                         width / (width - 2));
    VectorXd theta(pairs);
    for (Index pair = 0; pair < pairs; ++pair) {
        const double i = double(pair);
        theta(pair) = std::pow(base, -2 * i / width);
        double kept = 1;
        if (rotary.scaling == RotaryScaling::Linear) // Chen et al. (2023)
            kept = 0;
        if (rotary.scaling == RotaryScaling::Yarn)
            kept = keptByYarn(rotary, width, i);
        if (rotary.scaling == RotaryScaling::Llama3)
            kept = keptByLlama(rotary, theta(pair));
        theta(pair) = kept * theta(pair) + (1 - kept) * theta(pair) / factor;
        if (rotary.scaling == RotaryScaling::LongRope) // Ding et al. (2024)
            theta(pair) /=
                double(length > rotary.originalLength ? rotary.longFactors[std::size_t(pair)]
                                                      : rotary.shortFactors[std::size_t(pair)]);
    }
    return theta;
}

/// Returns the factor of rotated vectors: 1, except with YaRN and LongRoPE.
double lengthFactor(const RotaryConfig &rotary) {
    const double factor = double(rotary.factor);
    if (rotary.scaling != RotaryScaling::Yarn && rotary.scaling != RotaryScaling::LongRope)
        return 1;
    if (rotary.attentionFactor != 0)
        return double(rotary.attentionFactor);
    if (factor <= 1)
        return 1;
    if (rotary.scaling == RotaryScaling::Yarn)
        return 0.1 * std::log(factor) + 1;
    return std::sqrt(1 + std::log(factor) / std::log(double(rotary.originalLength)));
}

/// Returns the bucket of a distance j − i (Raffel et al. 2020). The logarithm is computed with
/// 32-bit floats, because models were trained with that rounding and a different bucket has a
/// different parameter.
Index bucketOf(Index distance, const RelativeConfig &relative, bool bothWays) {
    Index buckets = relative.buckets, first = 0;
    if (bothWays) { // the upper half is for keys after the query
        buckets = std::max<Index>(1, buckets / 2);
        if (distance > 0)
            first = std::min(buckets, relative.buckets - 1);
        distance = std::abs(distance);
    } else {
        distance = std::max<Index>(0, -distance);
    }
    const Index exact = buckets / 2; // each of these distances has its own bucket
    if (distance < exact)
        return first + distance;
    if (exact == 0 || distance >= relative.maximumDistance)
        return first + buckets - 1;
    const auto range =
        static_cast<float>(std::log(double(relative.maximumDistance) / double(exact)));
    const float share = std::log(static_cast<float>(distance) / static_cast<float>(exact)) / range;
    const auto further = static_cast<Index>(share * static_cast<float>(buckets - exact));
    return first + std::min(exact + further, buckets - 1);
}

/// Returns the slope of a head (Press et al. 2022): 2^(−8/n), 2^(−16/n), … for n heads. If n is not
/// a power of two, the heads beyond p, the largest power of two below n, take every second slope
/// for 2·p heads.
double slopeOf(const Config &config, Index head) {
    if (!config.alibiSlopes.empty())
        return double(config.alibiSlopes[std::size_t(head)]);
    Index power = 1;
    while (2 * power <= config.heads)
        power *= 2;
    const double n = double(power);
    return head < power ? std::exp2(-8 / n * double(head + 1))
                        : std::exp2(-8 / (2 * n) * double(2 * (head - power) + 1));
}

} // namespace

/// Vaswani et al. (2017), section 3.5: sin(t / 10000^(2i/width)) and the cosine of the same angle.
MatrixXd sinusoids(Index length, Index width, SinusoidOrder order) {
    MatrixXd P(length, width);
    const Index sines = (width + 1) / 2;
    for (Index column = 0; column < width; ++column) {
        const Index i = column / 2;
        const double wave = std::pow(10000.0, double(2 * i) / double(width));
        const bool isSine = column % 2 == 0;
        const Index place = order == SinusoidOrder::Interleaved ? column : (isSine ? i : sines + i);
        for (Index t = 0; t < length; ++t) {
            const double angle = double(t) / wave;
            P(t, place) = isSine ? std::sin(angle) : std::cos(angle);
        }
    }
    return P;
}

/// Su et al. (2021): dimensions i and i + width/2 of the token at position t are rotated by t·θ_i.
MatrixXd rotated(const RotaryConfig &rotary, const MatrixXd &x) {
    const Index T = x.rows(), n = (rotary.width > 0 ? rotary.width : x.cols()) / 2;
    const VectorXd position = VectorXd::LinSpaced(T, 0, double(T - 1));
    const ArrayXXd angle = position * frequenciesOf(rotary, n, T).transpose();
    const ArrayXXd cosine = lengthFactor(rotary) * angle.cos();
    const ArrayXXd sine = lengthFactor(rotary) * angle.sin();
    const ArrayXXd left = x.leftCols(n), right = x.middleCols(n, n);
    MatrixXd y = x;
    y.leftCols(n) = left * cosine - right * sine;
    y.middleCols(n, n) = right * cosine + left * sine;
    return y;
}

MatrixXd distanceEmbeddings(const Pass &pass, const Config &config, Stack stack) {
    const StackParameters &W = pass.model.stack(stack);
    const MatrixXd D = numbersOf(W.distanceEmbeddings);
    return config.disentangled.norm ? normalised(config, D, W.distanceNorm, pass.input.of(stack))
                                    : D;
}

/// As in DeBERTa's code: distances up to half of the span have their own row; larger ones share
/// rows on a logarithmic scale. The logarithm is computed with 32-bit floats and rounded up.
Index distanceRowOf(const DistanceTable &table, Index distance) {
    const Index half = table.span / 2;
    Index step = std::abs(distance);
    if (table.maximumDistance > 0 && step > half) {
        const float all =
            std::log(static_cast<float>(table.maximumDistance - 1) / static_cast<float>(half));
        const float own = std::log(static_cast<float>(step) / static_cast<float>(half));
        step = half + static_cast<Index>(std::ceil(own / all * static_cast<float>(half - 1)));
    }
    const Index row = table.span + (distance < 0 ? -step : step);
    return std::max<Index>(0, std::min(row, 2 * table.span - 1));
}

MatrixXd positionBias(const Pass &pass, const Config &config, AttentionId at, Index head) {
    const Index T = pass.input.queries(at).length(), S = pass.input.keys(at).length();
    if (config.positions == Positions::Alibi) {
        const double slope = slopeOf(config, head);
        return MatrixXd::NullaryExpr(
            T, S, [slope](Index i, Index j) { return -slope * double(std::abs(i - j)); });
    }
    const MatrixXd table = numbersOf(pass.model.stack(at.stack).positionBias);
    return MatrixXd::NullaryExpr(T, S, [&](Index i, Index j) {
        return table(bucketOf(j - i, config.relative, at.stack != Stack::Decoder), head);
    });
}

} // namespace headlight::core::reference
