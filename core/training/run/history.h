// The history of a run, from which its curves are drawn. Its length is limited.
#pragma once

#include "core/analysis/head_measures.h"
#include "core/tensor/matrix.h"
#include "core/transformer/names/attention_id.h"

#include <optional>
#include <vector>

namespace headlight::core {

/// Metrics on held-out examples. Without a mask, loss and accuracy leave out the last answer, which
/// is not in the input.
struct HeldOut {
    double loss = 0;     ///< mean −ln p of the targets, in nats; NaN without targets
    double accuracy = 0; ///< in the task's unit: examples or single answers; NaN without any
    /// Accuracy of generation, for models without a mask, which otherwise see their targets.
    /// Nullopt for other models, for which it equals `accuracy`.
    std::optional<double> written{};
    bool operator==(const HeldOut &) const = default;
};

/// Metrics measured before this step, and the loss and accuracy of the step's batch.
struct HistoryPoint {
    Index step = 0;
    bool isStep = false; ///< this step was made; otherwise the next four values are unset
    double loss = 0;
    double accuracy = 0;
    double learningRate = 0;
    double gradientLength = 0;        ///< norm of the gradient before clipping
    std::optional<HeldOut> heldOut{}; ///< measured every few steps
    /// [attention][head], measured every few steps; otherwise empty
    std::vector<std::vector<HeadMeasures>> heads{};
};

/// Sorted by step. Long runs are thinned to at most kMaxHistory points.
using History = std::vector<HistoryPoint>;
inline constexpr std::size_t kMaxHistory = 4000;

/// If the last point is for `step`, removes and returns it, so that more can be added to it.
/// Otherwise returns a new one.
HistoryPoint takePointOf(History &history, Index step);

/// Appends a point. If there are kMaxHistory points, removes every second one without held-out
/// metrics. The choice depends only on the step numbers, so that resumed runs keep the same points.
void addPoint(History &history, HistoryPoint point);

} // namespace headlight::core
