// State of individual views. Like the selection, it is saved but not undone.
#pragma once

#include "core/tensor/shape.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight::core {

/// State of the view "Being born", without the run, which is trained again from its recipe.
struct BirthState {
    Index step = 0;    ///< training step of the shown snapshot
    Index example = 0; ///< index in RecordedRun::examples
    /// Index of the picture that the user chose as the answer to the question; unset: not answered.
    std::optional<Index> answer{};
    /// Index of the example that the answered question showed. The user may since have chosen
    /// another example.
    Index questionExample = 0;
    bool operator==(const BirthState &) const = default;
};

/// Number of pictures to choose from in a question of "Being born".
inline constexpr Index kBirthPictures = 3;
/// Larger than the number of examples of any run.
inline constexpr Index kMaxBirthExamples = 1000;

/// The user's choices in the view "Model". They are texts, because the model may no longer have the
/// heads and the token. The view ignores missing ones.
struct ModelViewState {
    std::vector<std::string> pinned{}; ///< pinned heads: "9.6", "encoder.0.3", "cross.1.2"
    std::string measure{};             ///< the measure that sorts the list; empty: the default
    bool asColours = false;            ///< the measure is shown in place of the thumbnails
    bool ofLoss = false;               ///< silencing shows the change of the loss, not of a logit
    bool byMean = false;               ///< a silenced head is replaced by its mean, not by zeros
    std::string token{}; ///< the token whose logit is measured; empty: the predicted one
    bool operator==(const ModelViewState &) const = default;
};

/// Limits for values in files.
inline constexpr std::size_t kMaxPinnedHeads = 64;
inline constexpr std::size_t kMaxHeadNameBytes = 64;
inline constexpr std::size_t kMaxTokenBytes = 1024;

} // namespace headlight::core
