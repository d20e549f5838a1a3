// The history of a run: its curves.
#pragma once

#include "core/analysis/head_measures.h"
#include "core/tensor/matrix.h"
#include "core/transformer/names/attention_id.h"

#include <optional>
#include <vector>

namespace headlight::core {

/// Metrics on held-out examples. Without a mask, loss and accuracy omit the last answer, which is
/// not in the input.
struct HeldOut {
    double loss = 0;     ///< mean −ln p of the targets, in nats; NaN without targets
    double accuracy = 0; ///< in the unit of the task: examples or single answers; NaN without any
    /// Accuracy of generation, for models without a mask, which see their targets otherwise.
    /// Nullopt for other models, where it equals `accuracy`.
    std::optional<double> written{};
    bool operator==(const HeldOut &) const = default;
};

/// Metrics recorded before this step. Training loss and accuracy are those of the step's batch.
struct HistoryPoint {
    Index step = 0;
    bool isStep = false; ///< true if this step was made; else the four values below are unused
    double loss = 0;
    double accuracy = 0;
    double learningRate = 0;
    double gradientLength = 0;        ///< norm before clipping
    std::optional<HeldOut> heldOut{}; ///< every few steps
    /// [attention][head], every few steps; else empty
    std::vector<std::vector<HeadMeasures>> heads{};
};

/// Sorted by step. Long runs are thinned to at most kMaxHistory points.
using History = std::vector<HistoryPoint>;
inline constexpr std::size_t kMaxHistory = 4000;

} // namespace headlight::core
