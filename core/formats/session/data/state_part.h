#pragma once

#include <cstddef>

namespace headlight::core {

/// Groups of fields that users see as one thing. A lesson keeps, and undo restores, all fields of a
/// part together.
enum class StatePart {
    Text,  ///< the batch and the second sequences
    Masks, ///< the masks of all attention modules
    Positions,
    Scale,
    Temperature,
    Softmax,
    Masking,
    Structure, ///< norms, residual connections and other switches that only files change
    Interventions,
    Parameters,
    Words, ///< word vectors
};
inline constexpr std::size_t kStateParts = 11;

} // namespace headlight::core
