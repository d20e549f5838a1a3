#include "core/operations/activation.h"

#include "core/operations/exponential.h"
#include "core/operations/normal_distribution.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <numbers>

namespace headlight::core {

namespace {

constexpr float kRootOfTwoByPi = std::numbers::sqrt2_v<float> * std::numbers::inv_sqrtpi_v<float>;
constexpr float kCubic = 0.044715f; // Hendrycks and Gimpel (2016), section 2

/// 1/(1 + exp(−x)). The exponential may overflow: 1/∞ is the 0 that is meant.
float sigmoid(float x) {
    return 1 / (1 + exponential(-x));
}

/// Farther out every slope is 0 or 1 to the last bit, and squares could overflow.
float withinReach(float x) {
    return std::clamp(x, -100.0f, 100.0f);
}

struct Relu {
    static float value(float x) { return x < 0 ? 0 : x; }
    static float slope(float x) { return x > 0 ? 1 : 0; }
};

struct Gelu {
    static float value(float x) { return x * normalDistribution(x).below; }
    static float slope(float x) {
        const NormalDistribution at = normalDistribution(x);
        return at.below + x * at.density;
    }
};

struct GeluTanh {
    /// ½(1 + tanh u) = σ(2u), which keeps its digits where tanh is close to −1.
    static float twice(float x) { return 2 * kRootOfTwoByPi * x * (1 + kCubic * x * x); }
    static float value(float x) { return x * sigmoid(twice(x)); }
    static float slope(float x) {
        const float near = withinReach(x);
        const float below = sigmoid(twice(near)), above = sigmoid(-twice(near));
        return below + near * below * above * 2 * kRootOfTwoByPi * (1 + 3 * kCubic * near * near);
    }
};

struct Silu {
    static float value(float x) { return x * sigmoid(x); }
    static float slope(float x) {
        const float near = withinReach(x);
        return sigmoid(near) * (1 + near * sigmoid(-near));
    }
};

struct QuickGelu {
    static constexpr float kSteepness = 1.702f;
    static float value(float x) { return x * sigmoid(kSteepness * x); }
    static float slope(float x) {
        const float near = withinReach(x), u = kSteepness * near;
        return sigmoid(u) * (1 + u * sigmoid(-u));
    }
};

struct SquaredRelu {
    static float value(float x) { return x < 0 ? 0 : x * x; }
    static float slope(float x) { return x > 0 ? 2 * x : 0; }
};

/// One choice for a whole row, not one a number.
template <typename Use>
auto with(Activation activation, Use use) {
    switch (activation) {
    case Activation::Relu:
        return use(Relu());
    case Activation::Gelu:
        return use(Gelu());
    case Activation::GeluTanh:
        return use(GeluTanh());
    case Activation::Silu:
        return use(Silu());
    case Activation::QuickGelu:
        return use(QuickGelu());
    case Activation::SquaredRelu:
        return use(SquaredRelu());
    }
    assert(false);
    return use(Relu());
}

} // namespace

float activate(float x, Activation activation) {
    return with(activation, [x](auto function) { return function.value(x); });
}

void activate(std::span<const float> x, Activation activation, std::span<float> out) {
    assert(x.size() == out.size());
    with(activation, [&](auto function) {
        for (std::size_t i = 0; i < x.size(); ++i)
            out[i] = function.value(x[i]);
    });
}

void activateBackward(std::span<const float> x, Activation activation,
                      std::span<const float> outGradient, std::span<float> xGradient) {
    assert(x.size() == outGradient.size() && x.size() == xGradient.size());
    with(activation, [&](auto function) {
        for (std::size_t i = 0; i < x.size(); ++i)
            xGradient[i] = outGradient[i] * function.slope(x[i]);
    });
}

void activateGated(std::span<const float> gate, std::span<const float> hidden,
                   Activation activation, std::span<float> out) {
    assert(gate.size() == hidden.size() && gate.size() == out.size());
    with(activation, [&](auto function) {
        for (std::size_t i = 0; i < gate.size(); ++i)
            out[i] = function.value(gate[i]) * hidden[i];
    });
}

void activateGatedBackward(std::span<const float> gate, std::span<const float> hidden,
                           Activation activation, std::span<const float> outGradient,
                           std::span<float> gateGradient, std::span<float> hiddenGradient) {
    assert(gate.size() == hidden.size() && gate.size() == outGradient.size());
    assert(gate.size() == gateGradient.size() && gate.size() == hiddenGradient.size());
    with(activation, [&](auto function) {
        for (std::size_t i = 0; i < gate.size(); ++i) {
            const float arriving = outGradient[i], open = function.value(gate[i]);
            gateGradient[i] = arriving * hidden[i] * function.slope(gate[i]);
            hiddenGradient[i] = arriving * open;
        }
    });
}

} // namespace headlight::core
