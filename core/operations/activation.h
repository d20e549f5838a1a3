// The nonlinear functions of feed-forward networks, number by number.
#pragma once

namespace headlight::core {

enum class Activation {
    Relu,     ///< max(0, x)
    Gelu,     ///< x·Φ(x), with the error function (Hendrycks and Gimpel 2016)
    GeluTanh, ///< the same paper's approximation with tanh, as GPT-2 uses it
    Silu,     ///< x·σ(x), also called swish (Elfwing et al. 2018)
};

} // namespace headlight::core
