// What came out of a race so far, as numbers.
#pragma once

#include "core/training/run/ablated_run.h"
#include "core/training/run/training_run.h"

namespace headlight::core {

/// A held-out accuracy at which a task counts as learned.
inline constexpr double kLearned = 0.99;

struct RunMetrics {
    HeldOut heldOut{}; ///< at the race's step
    std::optional<Index>
        stepsToHalfLoss{};          ///< first measured step whose loss is at most half of guessing
    std::optional<Index> learned{}; ///< first measured step whose accuracy is at least kLearned
    /// How far the loss jumps from one batch to the next, as a part of the loss: Σ|lᵢ₊₁ − lᵢ| ÷ Σlᵢ
    /// over the batches in the history. None: there are fewer than two.
    std::optional<double> lossVariation{};
    /// The step that it could not make, for a number was none, while the other one went on.
    std::optional<Index> divergence{};
};

struct AblationResult {
    Index step = 0;      ///< the newest at which both were measured
    double guessing = 0; ///< the loss of who guesses: all answers alike
    RunMetrics run{}, ablated{};
};

/// Beside what articles say of the switch: who learns better. Clearly is who reaches kLearned in
/// less than 0.8 of the other's steps, or alone; where neither does, whose accuracy is 0.05 better,
/// or whose loss is less than 0.8 of the other's. Who ended at a number that is none has lost.
/// Without positions it is claimed that what depends on the order cannot be learned: a rival that
/// reaches kLearned contradicts it. Of a rival without a mask it is claimed that its loss is less
/// than a fiftieth of guessing's, and that it writes less than a tenth of the examples right.
enum class Verdict { AsClaimed, NoClearDifference, Contradicted };

/// By what one of them is clearly better, in that order.
enum class Criterion {
    WentOn,    ///< the other one ended at a number that is none
    Learned,   ///< alone
    Sooner,    ///< both have learned it
    MoreRight, ///< neither has
    LessLoss,
};
struct Winner {
    bool isAblated = false;
    Criterion by = Criterion::LessLoss;
};
/// None: the difference is not clear.
std::optional<Winner> winnerOf(const AblationResult &result);
Verdict verdictOf(const AblationResult &result, Ablation ablation);

/// None: nobody races, or nothing was measured of both yet. `model`: the run's.
std::optional<AblationResult> resultOf(const TrainingRun &run, const Model &model);

} // namespace headlight::core
