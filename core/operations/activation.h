// Elementwise activation functions of feed-forward networks.
#pragma once

#include "core/kernels/activation.h"

#include <span>

namespace headlight::core {

/// Applies the function to one value. The result and the derivatives below are finite for every
/// finite x, except that the square of a value above 1.8·10¹⁹ is ∞.
float activate(float x, Activation activation);

/// Applies the function elementwise. Sizes are equal; x and out may share memory.
void activate(std::span<const float> x, Activation activation, std::span<float> out);

/// Writes xGradient. `x` is the input of the forward pass. The derivative of ReLU at 0 is 0.
void activateBackward(std::span<const float> x, Activation activation,
                      std::span<const float> outGradient, std::span<float> xGradient);

/// out = activation(gate) ⊙ hidden, the gated linear units of Shazeer (2020): GEGLU, SwiGLU, ReGLU.
void activateGated(std::span<const float> gate, std::span<const float> hidden,
                   Activation activation, std::span<float> out);

/// out = activation(min(gate, limit)) ⊙ (min(max(hidden, −limit), limit) + offset), as in the
/// experts of GPT-OSS. A limit of 0 means no limit.
void activateGated(std::span<const float> gate, std::span<const float> hidden,
                   Activation activation, float limit, float offset, std::span<float> out);

/// Writes the gradients of gate and hidden, for a gate without a limit.
void activateGatedBackward(std::span<const float> gate, std::span<const float> hidden,
                           Activation activation, std::span<const float> outGradient,
                           std::span<float> gateGradient, std::span<float> hiddenGradient);

} // namespace headlight::core
