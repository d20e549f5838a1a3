// State of the view "Being born", without the run, which is trained again from its recipe.
#pragma once

#include "core/tensor/shape.h"

#include <optional>

namespace headlight::core {

struct BirthState {
    Index step = 0;    ///< training step of the shown snapshot
    Index example = 0; ///< index in RecordedRun::examples
    /// Index of the picture that the user chose as the answer to the question; unset: not answered.
    std::optional<Index> answer{};
    /// Index of the example in the pictures of the answered question. The user may have gone on to
    /// another example since then.
    Index questionExample = 0;
    bool operator==(const BirthState &) const = default;
};

/// Number of pictures of a question.
inline constexpr Index kBirthPictures = 3;
/// Larger than the number of examples of any run.
inline constexpr Index kMaxBirthExamples = 1000;

} // namespace headlight::core
