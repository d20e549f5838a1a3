// Rotary position embedding: rotates queries and keys by angles that grow with their position (Su
// et al. 2021).
#pragma once

#include "core/tensor/matrix.h"

#include <vector>

namespace headlight::core {

/// Methods that extend a model to longer texts than it was trained on.
enum class RotaryScaling {
    None,
    Linear,   ///< positions ÷ factor (Chen et al. 2023)
    Dynamic,  ///< the base grows once the text is longer than originalLength ("dynamic NTK")
    Yarn,     ///< by wavelength, between betaSlow and betaFast turns (Peng et al. 2023)
    Llama3,   ///< by wavelength, between the two frequency factors (Llama 3.1)
    LongRope, ///< by a factor for each pair, from one of two lists (Ding et al. 2024)
};

struct RotaryConfig {
    float base = 10000;
    Index width = 0; ///< number of rotated dimensions of a head (the first ones), even; 0: all
    RotaryScaling scaling = RotaryScaling::None;
    float factor = 1;
    Index originalLength = 0;     ///< length in tokens that the model was trained with
    float lowFrequencyFactor = 1; ///< Llama3
    float highFrequencyFactor = 4;
    float betaFast = 32; ///< Yarn
    float betaSlow = 1;
    /// Yarn and LongRope: factor of cosine and sine. 0: 0.1·ln(factor) + 1 and √(1 + ln(factor) ÷
    /// ln(originalLength)), or 1 if factor ≤ 1.
    float attentionFactor = 0;
    bool truncates = true; ///< Yarn: the limits of the interpolated pairs are whole numbers
    // LongRope: divisors of the frequencies, one for each pair, of texts up to originalLength and
    // of longer ones.
    std::vector<float> shortFactors{}, longFactors{};
    bool operator==(const RotaryConfig &) const = default;
};

/// Radians per token for each pair of dimensions, for a text of `length` tokens: base^(−2i/width),
/// i = 0 … width/2 − 1 (Su et al. 2021, section 3.2.2), scaled as in modeling_rope_utils.py of
/// Hugging Face's transformers. base and factor are positive. Dynamic, Yarn, Llama3 and LongRope
/// need originalLength ≥ 1 (LongRope ≥ 2); Llama3 needs a high factor above the low one.
std::vector<double> rotaryFrequencies(const RotaryConfig &config, Index headSize, Index length);

/// The rotation that a config defines for a text of some length. Equal angles give equal rotations.
struct RotaryAngles {
    std::vector<double> frequencies; ///< as rotaryFrequencies()
    double factor = 1;               ///< factor of cosine and sine; 1 except with Yarn and LongRope
    bool operator==(const RotaryAngles &) const = default;
};
RotaryAngles rotaryAngles(const RotaryConfig &config, Index headSize, Index length);

/// Rotations of all tokens and pairs.
struct RotaryTable {
    RotaryTable(const RotaryAngles &turns, Index length);
    RotaryTable(const RotaryConfig &config, Index headSize, Index length)
        : RotaryTable(rotaryAngles(config, headSize, length), length) {}

    Matrix cosine; ///< [length, width/2], of position · frequency; with Yarn × its attention factor
    Matrix sine;
};

/// out[t] = x[t] rotated by table row first + t. x and out are [T, d] and may share memory; first +
/// T ≤ the table's length. Dimension i pairs with i + width/2, as in GPT-NeoX and Llama. Dimensions
/// beyond the table's width are copied.
void rotate(MatrixView x, const RotaryTable &table, MutableMatrixView out, Index first = 0);

/// Writes xGradient, which may share memory with outGradient.
void rotateBackward(MatrixView outGradient, const RotaryTable &table, MutableMatrixView xGradient);

} // namespace headlight::core
