// What is remembered of a run's way: its curves.
#pragma once

#include "core/analysis/head_measures.h"
#include "core/tensor/matrix.h"
#include "core/transformer/names/attention_id.h"

#include <optional>
#include <vector>

namespace headlight::core {

/// Of examples that were held out. Without a mask the last answer, which is not in the input, is
/// left out of the first two.
struct HeldOut {
    double loss = 0;     ///< mean of the answers' −ln p, in nats
    double accuracy = 0; ///< share of what the task counts: examples, or single answers
    /// The same of a model without a mask where nothing comes after what it is asked: when it
    /// writes. Of others it is the accuracy, and none here.
    std::optional<double> written{};
    bool operator==(const HeldOut &) const = default;
};

/// What was measured before the step of this number. A loss and an accuracy of training are those
/// of the batch that the step learned from.
struct HistoryPoint {
    Index step = 0;
    bool isStep = false; ///< a step was made from here; else the four numbers below say nothing
    double loss = 0;
    double accuracy = 0;
    double learningRate = 0;
    double gradientLength = 0;        ///< before it was clipped
    std::optional<HeldOut> heldOut{}; ///< every few steps
    std::vector<std::vector<HeadMeasures>>
        heads{}; ///< [attention][head], every few steps; else empty
};

/// In the order of the steps. Long runs are thinned out: never more than kMostHistory points.
using History = std::vector<HistoryPoint>;
inline constexpr std::size_t kMostHistory = 4000;

} // namespace headlight::core
