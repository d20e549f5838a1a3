// Elementwise activation functions of feed-forward networks.
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

/// Applies the function to one value. Finite for every finite x, and so are the derivatives below,
/// except that the square of a value above 1.8·10¹⁹ is ∞.
float activate(float x, Activation activation);

/// Elementwise. Sizes are equal; x and out may share memory.
void activate(std::span<const float> x, Activation activation, std::span<float> out);

/// Writes xGradient. `x` is the input of the forward pass. The derivative of ReLU at 0 is 0.
void activateBackward(std::span<const float> x, Activation activation,
                      std::span<const float> outGradient, std::span<float> xGradient);

/// out = activation(gate) ⊙ hidden, the gated linear units of Shazeer (2020): GEGLU, SwiGLU, ReGLU.
void activateGated(std::span<const float> gate, std::span<const float> hidden,
                   Activation activation, std::span<float> out);

/// Writes both gradients.
void activateGatedBackward(std::span<const float> gate, std::span<const float> hidden,
                           Activation activation, std::span<const float> outGradient,
                           std::span<float> gateGradient, std::span<float> hiddenGradient);

} // namespace headlight::core
