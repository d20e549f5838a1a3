// The nonlinear functions of feed-forward networks, number by number.
#pragma once

#include <span>

namespace headlight::core {

enum class Activation {
    Relu,        ///< max(0, x)
    Gelu,        ///< x·Φ(x), with the error function (Hendrycks and Gimpel 2016)
    GeluTanh,    ///< the same paper's approximation with tanh, as GPT-2 uses it
    Silu,        ///< x·σ(x), also called swish (Elfwing et al. 2018)
    QuickGelu,   ///< x·σ(1.702·x), GELU's other approximation in its paper, as CLIP uses it
    SquaredRelu, ///< max(0, x)² (So et al. 2021)
};
inline constexpr int kActivations = 6;

/// Of one number. Finite for every finite x, and so are the slopes below; only the square of a
/// number beyond 1.8·10¹⁹ is ∞.
float activate(float x, Activation activation);

/// Number by number; sizes are equal, x and out may be the same numbers.
void activate(std::span<const float> x, Activation activation, std::span<float> out);

/// xGradient is written; `x` is what went in. The slope of ReLU at 0 is 0.
void activateBackward(std::span<const float> x, Activation activation,
                      std::span<const float> outGradient, std::span<float> xGradient);

/// out = activation(gate) ⊙ hidden, the gated linear units of Shazeer (2020): GEGLU, SwiGLU, ReGLU.
void activateGated(std::span<const float> gate, std::span<const float> hidden,
                   Activation activation, std::span<float> out);

/// Both gradients are written.
void activateGatedBackward(std::span<const float> gate, std::span<const float> hidden,
                           Activation activation, std::span<const float> outGradient,
                           std::span<float> gateGradient, std::span<float> hiddenGradient);

} // namespace headlight::core
