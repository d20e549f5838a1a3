// The activation functions of feed-forward networks.
#pragma once

namespace headlight::core {

enum class Activation {
    Relu,        ///< max(0, x)
    Gelu,        ///< x·Φ(x), with the error function (Hendrycks and Gimpel 2016)
    GeluTanh,    ///< approximation with tanh from the same paper, used by GPT-2
    Silu,        ///< x·σ(x), also called swish (Elfwing et al. 2018)
    QuickGelu,   ///< x·σ(1.702·x), the paper's other approximation of GELU, used by CLIP
    SquaredRelu, ///< max(0, x)² (So et al. 2021)
};
inline constexpr int kActivations = 6;

} // namespace headlight::core
