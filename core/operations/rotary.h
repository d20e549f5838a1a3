// Rotary position embedding: rotates queries and keys by angles that grow with their position (Su
// et al. 2021).
#pragma once

#include "core/tensor/matrix.h"

#include <vector>

namespace headlight::core {

/// Methods for texts longer than the model was trained on.
enum class RotaryScaling {
    None,
    Linear,  ///< divides positions by the factor (Chen et al. 2023)
    Dynamic, ///< increases the base if the text exceeds originalLength ("dynamic NTK")
    /// Divides low frequencies by the factor and keeps high ones, with a transition between
    /// betaSlow and betaFast rotations per originalLength (Peng et al. 2023).
    Yarn,
    Llama3,   ///< like Yarn, with a transition between the two frequency factors (Llama 3.1)
    LongRope, ///< divides each frequency by a factor from one of two lists (Ding et al. 2024)
};

struct RotaryConfig {
    float base = 10000;
    Index width = 0; ///< number of rotated dimensions of a head (the first ones), even; 0: all
    RotaryScaling scaling = RotaryScaling::None;
    float factor = 1;
    Index originalLength = 0;     ///< text length in training, in tokens
    float lowFrequencyFactor = 1; ///< for Llama3
    float highFrequencyFactor = 4;
    float betaFast = 32; ///< for Yarn
    float betaSlow = 1;
    /// For Yarn and LongRope: multiplies cosine and sine. 0: 0.1·ln(factor) + 1 for Yarn, √(1 +
    /// ln(factor) ÷ ln(originalLength)) for LongRope, or 1 if factor ≤ 1.
    float attentionFactor = 0;
    bool truncates = true; ///< for Yarn: rounds the limits of interpolated pairs to whole numbers
    // For LongRope: a divisor of each pair's frequency, for texts up to originalLength and for
    // longer ones.
    std::vector<float> shortFactors{}, longFactors{};
    bool operator==(const RotaryConfig &) const = default;
};

/// Returns radians per token for each pair of dimensions, for a text of `length` tokens:
/// base^(−2i/width), i = 0 … width/2 − 1 (Su et al. 2021, section 3.2.2), scaled as in
/// modeling_rope_utils.py of Hugging Face's transformers. base and factor are positive. Dynamic,
/// Yarn, Llama3 and LongRope need originalLength ≥ 1 (LongRope ≥ 2); Llama3 needs a high factor
/// above the low one.
std::vector<double> rotaryFrequencies(const RotaryConfig &config, Index headSize, Index length);

/// The rotation angles of a config for a given text length. Equal angles mean equal rotations.
struct RotaryAngles {
    std::vector<double> frequencies; ///< see rotaryFrequencies()
    double factor = 1;               ///< factor of cosine and sine; 1 except with Yarn and LongRope
    bool operator==(const RotaryAngles &) const = default;
};
RotaryAngles rotaryAngles(const RotaryConfig &config, Index headSize, Index length);

/// Cosines and sines for all tokens and pairs.
struct RotaryTable {
    RotaryTable(const RotaryAngles &turns, Index length);
    RotaryTable(const RotaryConfig &config, Index headSize, Index length)
        : RotaryTable(rotaryAngles(config, headSize, length), length) {}

    Matrix cosine; ///< [length, width/2]: cosine of position · frequency, times the factor
    Matrix sine;
};

/// out[t] = x[t] rotated by table row first + t. x and out are [T, d] and may share memory; first +
/// T must not exceed the table's length. Dimension i pairs with i + width/2, as in GPT-NeoX and
/// Llama. Dimensions beyond the table's width are copied.
void rotate(MatrixView x, const RotaryTable &table, MutableMatrixView out, Index first = 0);

/// Writes xGradient, which may share memory with outGradient.
void rotateBackward(MatrixView outGradient, const RotaryTable &table, MutableMatrixView xGradient);

} // namespace headlight::core
