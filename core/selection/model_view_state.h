// The user's choices in the view "Model". Like the selection, they are saved but not undone.
#pragma once

#include <string>
#include <vector>

namespace headlight::core {

/// Texts, because the model may no longer have the heads and the token: the view leaves out the
/// ones that do not exist.
struct ModelViewState {
    std::vector<std::string> pinned{}; ///< pinned heads: "9.6", "encoder.0.3", "cross.1.2"
    std::string measure{};             ///< the measure that sorts the list; empty: the view's own
    bool asColours = false;            ///< the measure is shown in place of the thumbnails
    bool ofLoss = false;               ///< silencing shows the change of the loss, not of a logit
    bool byMean = false;               ///< a silenced head is replaced by its mean, not by zeros
    std::string token{}; ///< the token whose logit is measured; empty: the predicted one
    bool operator==(const ModelViewState &) const = default;
};

/// Limits for files.
inline constexpr std::size_t kMaxPinnedHeads = 64;
inline constexpr std::size_t kMaxHeadNameBytes = 64;
inline constexpr std::size_t kMaxTokenBytes = 1024;

} // namespace headlight::core
