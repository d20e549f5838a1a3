#include "core/operations/rotary.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headlight::core {

namespace {

constexpr double kTurn = 2 * std::numbers::pi;

Index pairsOf(const RotaryConfig &config, Index headSize) {
    assert(config.width >= 0 && config.width <= headSize);
    return (config.width == 0 ? headSize : config.width) / 2;
}

/// Returns the base of "dynamic NTK". A larger base lowers the slow frequencies and keeps the
/// fastest ones.
double dynamicBase(const RotaryConfig &config, double width, Index length) {
    const auto base = static_cast<double>(config.base);
    if (width <= 2 || length <= config.originalLength)
        return base;
    const double longer =
        static_cast<double>(length) / static_cast<double>(config.originalLength) - 1;
    return base * std::pow(1 + static_cast<double>(config.factor) * longer, width / (width - 2));
}

/// The share of its frequency that each pair of dimensions keeps; the rest is divided by the factor
/// (Peng et al. 2023, section 3.2). Pairs with more than betaFast rotations in the original length
/// keep all of it.
class YarnRamp {
  public:
    YarnRamp(const RotaryConfig &config, double width)
        : m_low(pairThatTurns(config.betaFast, config, width)),
          m_high(pairThatTurns(config.betaSlow, config, width)) {
        if (config.truncates) {
            m_low = std::floor(m_low);
            m_high = std::ceil(m_high);
        }
        m_low = std::max(m_low, 0.0);
        m_high = std::min(m_high, width - 1);
        if (m_low == m_high)
            m_high += 0.001; // prevents division by zero
    }
    double stays(double index) const {
        return 1 - std::clamp((index - m_low) / (m_high - m_low), 0.0, 1.0);
    }

  private:
    static double pairThatTurns(float times, const RotaryConfig &config, double width) {
        const double wavelength =
            static_cast<double>(config.originalLength) / static_cast<double>(times);
        return width * std::log(wavelength / kTurn) /
               (2 * std::log(static_cast<double>(config.base)));
    }
    double m_low;
    double m_high;
};

/// Returns the share of its frequency that a pair keeps in Llama 3.1. It depends on the number of
/// rotations in the original length.
double llamaStays(const RotaryConfig &config, double frequency) {
    const double turns = static_cast<double>(config.originalLength) * frequency / kTurn;
    const auto low = static_cast<double>(config.lowFrequencyFactor);
    const auto high = static_cast<double>(config.highFrequencyFactor);
    return std::clamp((turns - low) / (high - low), 0.0, 1.0);
}

double attentionFactor(const RotaryConfig &config) {
    const bool isLong = config.scaling == RotaryScaling::LongRope;
    if (config.scaling != RotaryScaling::Yarn && !isLong)
        return 1;
    if (config.attentionFactor != 0)
        return static_cast<double>(config.attentionFactor);
    if (config.factor <= 1)
        return 1;
    const double longer = std::log(static_cast<double>(config.factor));
    if (isLong)
        return std::sqrt(1 + longer / std::log(static_cast<double>(config.originalLength)));
    return 0.1 * longer + 1;
}

/// Rotates by the table's angles (direction 1) or by the negative angles (direction −1).
void turn(MatrixView x, const RotaryTable &table, float direction, MutableMatrixView out,
          Index first) {
    const Index pairs = table.cosine.columns();
    assert(x.rows == out.rows && x.columns == out.columns);
    assert(first + x.rows <= table.cosine.rows() && 2 * pairs <= x.columns);
    for (Index t = 0; t < x.rows; ++t) {
        const float *cosine = table.cosine.view().row(first + t).data();
        const float *sine = table.sine.view().row(first + t).data();
        const auto from = x.row(t);
        const auto to = out.row(t);
        const auto half = static_cast<std::size_t>(pairs);
        for (std::size_t i = 0; i < half; ++i) {
            const float left = from[i], right = from[i + half], up = direction * sine[i];
            to[i] = left * cosine[i] - right * up;
            to[i + half] = right * cosine[i] + left * up;
        }
        for (std::size_t i = 2 * half; i < to.size(); ++i)
            to[i] = from[i];
    }
}

} // namespace

std::vector<double> rotaryFrequencies(const RotaryConfig &config, Index headSize, Index length) {
    const Index pairs = pairsOf(config, headSize);
    const auto width = static_cast<double>(2 * pairs);
    const double base = config.scaling == RotaryScaling::Dynamic
                            ? dynamicBase(config, width, length)
                            : static_cast<double>(config.base);
    std::vector<double> frequencies;
    for (Index i = 0; i < pairs; ++i) {
        const auto index = static_cast<double>(i);
        double frequency = std::pow(base, -2 * index / width);
        double stays = 1;
        if (config.scaling == RotaryScaling::Linear)
            stays = 0;
        else if (config.scaling == RotaryScaling::Yarn)
            stays = YarnRamp(config, width).stays(index);
        else if (config.scaling == RotaryScaling::Llama3)
            stays = llamaStays(config, frequency);
        else if (config.scaling == RotaryScaling::LongRope)
            frequency /= static_cast<double>((
                length > config.originalLength ? config.longFactors
                                               : config.shortFactors)[static_cast<std::size_t>(i)]);
        frequencies.push_back(frequency *
                              (stays + (1 - stays) / static_cast<double>(config.factor)));
    }
    return frequencies;
}

RotaryAngles rotaryAngles(const RotaryConfig &config, Index headSize, Index length) {
    return {rotaryFrequencies(config, headSize, length), attentionFactor(config)};
}

RotaryTable::RotaryTable(const RotaryAngles &turns, Index length)
    : cosine(length, static_cast<Index>(turns.frequencies.size())), sine(cosine) {
    const auto &[frequencies, factor] = turns;
    for (Index t = 0; t < length; ++t)
        for (Index i = 0; i < cosine.columns(); ++i) {
            const double angle = static_cast<double>(t) * frequencies[static_cast<std::size_t>(i)];
            cosine(t, i) = static_cast<float>(factor * std::cos(angle));
            sine(t, i) = static_cast<float>(factor * std::sin(angle));
        }
}

void rotate(MatrixView x, const RotaryTable &table, MutableMatrixView out, Index first) {
    turn(x, table, 1, out, first);
}

void rotateBackward(MatrixView outGradient, const RotaryTable &table, MutableMatrixView xGradient) {
    turn(outGradient, table, -1, xGradient, 0);
}

} // namespace headlight::core
