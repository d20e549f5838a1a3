// Rotary position embedding: queries and keys are turned by angles that grow with their position
// (Su et al. 2021).
#pragma once

#include "core/tensor/matrix.h"

namespace headlight::core {

/// How a model that was trained on short texts is made to read longer ones.
enum class RotaryScaling {
    None,
    Linear,  ///< positions ÷ factor (Chen et al. 2023)
    Dynamic, ///< the base grows once the text is longer than originalLength ("dynamic NTK")
    Yarn,    ///< by wavelength, between betaSlow and betaFast turns (Peng et al. 2023)
    Llama3,  ///< by wavelength, between the two frequency factors (Llama 3.1)
};

struct RotaryConfig {
    float base = 10000;
    Index width = 0; ///< how many of a head's first dimensions turn, even; 0: all of them
    RotaryScaling scaling = RotaryScaling::None;
    float factor = 1;
    Index originalLength = 0;     ///< tokens that the model was trained on
    float lowFrequencyFactor = 1; ///< Llama3
    float highFrequencyFactor = 4;
    float betaFast = 32; ///< Yarn
    float betaSlow = 1;
    float attentionFactor =
        0; ///< Yarn: what cosine and sine are multiplied by; 0: 0.1·ln(factor) + 1
    bool operator==(const RotaryConfig &) const = default;
};

} // namespace headlight::core
