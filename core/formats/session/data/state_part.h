#pragma once

#include <cstddef>

namespace headlight::core {

/// What a person would call one thing. The fields of a part are kept by a lesson, and taken back,
/// together.
enum class StatePart {
    Text,  ///< what is read: the batch and the second sequences
    Masks, ///< of any attention
    Positions,
    Scale,
    Temperature,
    Softmax,
    Masking,
    Structure, ///< norms, residual connections and so on: what only files change
    Interventions,
    Parameters,
    Words, ///< vectors of words
};
inline constexpr std::size_t kStateParts = 11;

} // namespace headlight::core
