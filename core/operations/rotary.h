// Rotary position embedding: queries and keys are turned by angles that grow with their position
// (Su et al. 2021).
#pragma once

#include "core/tensor/matrix.h"

#include <vector>

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

/// By how many radians each pair of dimensions turns a token, for a text of `length` tokens:
/// base^(−2i/width), i = 0 … width/2 − 1 (Su et al. 2021, section 3.2.2), then scaled as in
/// modeling_rope_utils.py of Hugging Face's transformers. base and factor are positive; Dynamic,
/// Yarn and Llama3 need originalLength ≥ 1, Llama3 a high factor above the low one.
std::vector<double> rotaryFrequencies(const RotaryConfig &config, Index headSize, Index length);

/// All that a config says about a text of some length: two that are equal turn alike.
struct RotaryAngles {
    std::vector<double> frequencies; ///< as rotaryFrequencies()
    double factor = 1; ///< what cosine and sine are multiplied by; other than 1 only for Yarn
    bool operator==(const RotaryAngles &) const = default;
};
RotaryAngles rotaryAngles(const RotaryConfig &config, Index headSize, Index length);

/// The turns of every token and pair.
struct RotaryTable {
    RotaryTable(const RotaryAngles &turns, Index length);
    RotaryTable(const RotaryConfig &config, Index headSize, Index length)
        : RotaryTable(rotaryAngles(config, headSize, length), length) {}

    Matrix cosine; ///< [length, width/2], of position · frequency; Yarn: × its attention factor
    Matrix sine;
};

/// out[t] = x[t] turned by table row first + t, for x and out [T, d], first + T ≤ the table's
/// length; may be the same numbers. Dimension i turns with i + width/2, as in GPT-NeoX and Llama;
/// what is beyond the table's width is copied.
void rotate(MatrixView x, const RotaryTable &table, MutableMatrixView out, Index first = 0);

/// xGradient is written, and may be outGradient's numbers.
void rotateBackward(MatrixView outGradient, const RotaryTable &table, MutableMatrixView xGradient);

} // namespace headlight::core
