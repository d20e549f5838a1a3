// The loops of row_kernels.h, written once for all instruction sets (see vectors.h for the
// restrictions). The remainder of a row is padded and computed by the same vector code, so that its
// results have the same bits.
#pragma once

#include "core/kernels/row_kernels.h"
#include "core/kernels/vectors.h"

namespace headlight::core {

namespace {

bool areWithin(const float *x, std::size_t count, float smallest) {
    Integers sound = Integers{} - 1; // all bits are set
    std::size_t i = 0;
    for (; i + kStep <= count; i += kStep) {
        const Vector numbers = load(x + i);
        sound &= (numbers <= kLargest) & (numbers >= smallest);
    }
    const Vector last = loadSome(x + i, count - i, 0);
    sound &= (last <= kLargest) & (last >= smallest);
    bool isSound = true;
    for (int lane = 0; lane < kLanes; ++lane)
        isSound = isSound && sound[lane] != 0;
    return isSound;
}

float maximum(const float *x, std::size_t count) {
    Vector largest = all(-kInfinity);
    std::size_t i = 0;
    for (; i + kStep <= count; i += kStep) {
        const Vector numbers = load(x + i);
        largest = numbers > largest ? numbers : largest;
    }
    const Vector last = loadSome(x + i, count - i, -kInfinity);
    largest = last > largest ? last : largest;
    float most = largest[0];
    for (int lane = 1; lane < kLanes; ++lane)
        most = largest[lane] > most ? largest[lane] : most;
    return most;
}

double exponentials(const float *x, std::size_t count, float shift, float divisor, float *out) {
    Doubles sums = {};
    std::size_t i = 0;
    for (; i + kStep <= count; i += kStep) {
        const Vector made = exponential((load(x + i) - shift) / divisor);
        store(out + i, made);
        sums += __builtin_convertvector(made, Doubles);
    }
    if (i < count) { // padding of −∞, whose exponential is 0
        const Vector made = exponential((loadSome(x + i, count - i, -kInfinity) - shift) / divisor);
        storeSome(out + i, count - i, made);
        sums += __builtin_convertvector(made, Doubles);
    }
    double sum = 0;
    for (int lane = 0; lane < kLanes; ++lane)
        sum += sums[lane];
    return sum;
}

double sumOfExponentials(const float *x, std::size_t count, double shift) {
    Doubles sums = {};
    std::size_t i = 0;
    for (; i + kStep <= count; i += kStep) {
        Doubles made = __builtin_convertvector(load(x + i), Doubles) - shift;
        exponentiate(made);
        sums += made;
    }
    double sum = 0;
    for (int lane = 0; lane < kLanes; ++lane)
        sum += sums[lane];
    if (i < count) {
        Doubles last = __builtin_convertvector(loadSome(x + i, count - i, 0), Doubles) - shift;
        exponentiate(last);
        for (std::size_t lane = 0; i + lane < count; ++lane)
            sum += last[lane];
    }
    return sum;
}

void scale(float *x, std::size_t count, float factor) {
    std::size_t i = 0;
    for (; i + kStep <= count; i += kStep)
        store(x + i, load(x + i) * factor);
    for (; i < count; ++i)
        x[i] *= factor;
}

/// Returns 1/(1 + exp(−x)). The exponential may overflow, because 1/∞ is the correct limit 0.
inline Vector sigmoid(Vector x) {
    return 1 / (1 + exponential(-x));
}

/// Limits x. Beyond ±100 every derivative is exactly 0 or 1, and squares could overflow.
inline Vector withinReach(Vector x) {
    const Vector above = x < -100.0f ? all(-100.0f) : x;
    return above > 100.0f ? all(100.0f) : above;
}

struct ReluLoop {
    static Vector value(Vector x) { return x < 0 ? all(0) : x; }
    static Vector slope(Vector x) { return x > 0 ? all(1) : all(0); }
};

struct SquaredReluLoop {
    static Vector value(Vector x) { return x < 0 ? all(0) : x * x; }
    static Vector slope(Vector x) { return x > 0 ? 2 * x : all(0); }
};

struct GeluLoop {
    static Vector value(Vector x) { return x * normalBelow(x, exponential(-x * x / 2)); }
    static Vector slope(Vector x) {
        constexpr float height = 0.398942280f; // 1/√(2π)
        const Vector bell = exponential(-x * x / 2);
        return normalBelow(x, bell) + x * (bell * height);
    }
};

struct GeluTanhLoop {
    static constexpr float kRootOfTwoByPi = 0.797884561f;
    static constexpr float kCubic = 0.044715f; // Hendrycks and Gimpel (2016), section 2
    /// Returns 2u, because ½(1 + tanh u) = σ(2u), which stays accurate if tanh is close to −1.
    static Vector twice(Vector x) { return 2 * kRootOfTwoByPi * x * (1 + kCubic * x * x); }
    static Vector value(Vector x) { return x * sigmoid(twice(x)); }
    static Vector slope(Vector x) {
        const Vector near = withinReach(x);
        const Vector below = sigmoid(twice(near)), above = sigmoid(-twice(near));
        return below + near * below * above * 2 * kRootOfTwoByPi * (1 + 3 * kCubic * near * near);
    }
};

/// x · σ(kSteepness · x)
template <int kThousandths>
struct SwishLoop {
    static constexpr float kSteepness = static_cast<float>(kThousandths) / 1000;
    static Vector value(Vector x) { return x * sigmoid(kSteepness * x); }
    static Vector slope(Vector x) {
        const Vector near = withinReach(x), u = kSteepness * near;
        return sigmoid(u) * (1 + u * sigmoid(-u));
    }
};

template <typename Function>
void values(const float *x, std::size_t count, float *out) {
    std::size_t i = 0;
    for (; i + kStep <= count; i += kStep)
        store(out + i, Function::value(load(x + i)));
    if (i < count)
        storeSome(out + i, count - i, Function::value(loadSome(x + i, count - i, 0)));
}

template <typename Function>
void slopes(const float *x, const float *outGradient, std::size_t count, float *xGradient) {
    std::size_t i = 0;
    for (; i + kStep <= count; i += kStep)
        store(xGradient + i, load(outGradient + i) * Function::slope(load(x + i)));
    if (i < count)
        storeSome(xGradient + i, count - i,
                  loadSome(outGradient + i, count - i, 0) *
                      Function::slope(loadSome(x + i, count - i, 0)));
}

template <typename Function>
constexpr ActivationKernels both{values<Function>, slopes<Function>};

static_assert(kActivations == 6);
constexpr RowKernels kRowKernels{areWithin,
                                 maximum,
                                 exponentials,
                                 sumOfExponentials,
                                 scale,
                                 // Indexed by Activation.
                                 {both<ReluLoop>, both<GeluLoop>, both<GeluTanhLoop>,
                                  both<SwishLoop<1000>>, both<SwishLoop<1702>>,
                                  both<SquaredReluLoop>}};

} // namespace

} // namespace headlight::core
