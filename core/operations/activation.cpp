#include "core/operations/activation.h"

#include "core/kernels/kernels.h"

#include <cassert>
#include <cstddef>
#include <limits>

namespace headlight::core {

namespace {

const ActivationKernels &kernelsOf(Activation activation) {
    return fastestKernels().rows.activations[static_cast<int>(activation)];
}

} // namespace

float activate(float x, Activation activation) {
    float out = 0;
    kernelsOf(activation).values(&x, 1, &out);
    return out;
}

void activate(std::span<const float> x, Activation activation, std::span<float> out) {
    assert(x.size() == out.size());
    kernelsOf(activation).values(x.data(), x.size(), out.data());
}

void activateBackward(std::span<const float> x, Activation activation,
                      std::span<const float> outGradient, std::span<float> xGradient) {
    assert(x.size() == outGradient.size() && x.size() == xGradient.size());
    kernelsOf(activation).slopes(x.data(), outGradient.data(), x.size(), xGradient.data());
}

void activateGated(std::span<const float> gate, std::span<const float> hidden,
                   Activation activation, std::span<float> out) {
    assert(gate.size() == hidden.size() && gate.size() == out.size());
    kernelsOf(activation).values(gate.data(), gate.size(), out.data());
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] *= hidden[i];
}

void activateGated(std::span<const float> gate, std::span<const float> hidden,
                   Activation activation, float limit, float offset, std::span<float> out) {
    assert(gate.size() == hidden.size() && gate.size() == out.size());
    // Uses comparisons that let NaN through.
    const float most = limit > 0 ? limit : std::numeric_limits<float>::infinity();
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = gate[i] > most ? most : gate[i];
    kernelsOf(activation).values(out.data(), out.size(), out.data());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const float h = hidden[i];
        out[i] *= (h > most ? most : h < -most ? -most : h) + offset;
    }
}

void activateGatedBackward(std::span<const float> gate, std::span<const float> hidden,
                           Activation activation, std::span<const float> outGradient,
                           std::span<float> gateGradient, std::span<float> hiddenGradient) {
    assert(gate.size() == hidden.size() && gate.size() == outGradient.size());
    assert(gate.size() == gateGradient.size() && gate.size() == hiddenGradient.size());
    const ActivationKernels &kernels = kernelsOf(activation);
    for (std::size_t i = 0; i < gate.size(); ++i)
        gateGradient[i] = outGradient[i] * hidden[i];
    kernels.slopes(gate.data(), gateGradient.data(), gate.size(), gateGradient.data());
    kernels.values(gate.data(), gate.size(), hiddenGradient.data());
    for (std::size_t i = 0; i < gate.size(); ++i)
        hiddenGradient[i] *= outGradient[i];
}

} // namespace headlight::core
