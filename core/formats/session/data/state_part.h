#pragma once

#include <cstddef>

namespace headlight::core {

/// Groups of fields that belong together for the user. A lesson keeps all fields of a part, and
/// undo restores all of them.
enum class StatePart {
    Text,  ///< the batch and the second sequences
    Masks, ///< the masks of all attention modules
    Positions,
    Scale,
    Temperature,
    Softmax,
    Masking,
    Structure, ///< norms, residual connections and other switches that only a file can change
    Interventions,
    Parameters,
    Words, ///< vectors of single words
};
inline constexpr std::size_t kStateParts = 11;

} // namespace headlight::core
