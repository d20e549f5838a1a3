// The result of an ablation study so far.
#pragma once

#include "core/training/run/ablated_run.h"
#include "core/training/run/training_run.h"

namespace headlight::core {

/// Held-out accuracy from which a task counts as learned.
inline constexpr double kLearned = 0.99;

struct RunMetrics {
    HeldOut heldOut{}; ///< at the step of the result
    /// First measured step with a loss of at most half the guessing loss.
    std::optional<Index> stepsToHalfLoss{};
    std::optional<Index> learned{}; ///< first measured step with an accuracy of at least kLearned
    /// The mean change of the loss between batches relative to the loss: Σ|lᵢ₊₁ − lᵢ| ÷ Σlᵢ over
    /// the batches in the history. Nullopt if there are fewer than two.
    std::optional<double> lossVariation{};
    /// The step at which the run diverged while the other one went on.
    std::optional<Index> divergence{};
};

struct AblationResult {
    Index step = 0;      ///< latest step with metrics of both runs
    double guessing = 0; ///< loss of a uniform guess
    RunMetrics run{}, ablated{};
};

/// Compares the result with the claim in the literature: which run learns better. A run is clearly
/// better if it reaches kLearned in less than 0.8 of the other's steps, or alone. If neither does,
/// it is better if its accuracy is 0.05 higher or, failing that, its loss less than 0.8 of the
/// other's. A run that diverged is worse. NoPositions: the claim is that tasks that depend on order
/// cannot be learned, so reaching kLearned contradicts it. NoMask: the claim is a loss below 1/50
/// of the guessing loss, but fewer than 1/10 of the generated examples correct.
enum class Verdict { AsClaimed, NoClearDifference, Contradicted };

/// The criterion on which one run is clearly better, highest priority first.
enum class Criterion {
    WentOn,    ///< the other one diverged
    Learned,   ///< only this run has learned it
    Sooner,    ///< both have learned it, this one in fewer steps
    MoreRight, ///< higher accuracy, but neither has learned it
    LessLoss,
};
struct Winner {
    bool isAblated = false;
    Criterion by = Criterion::LessLoss;
};
/// Returns the clearly better run; nullopt if there is none.
std::optional<Winner> winnerOf(const AblationResult &result);
Verdict verdictOf(const AblationResult &result, Ablation ablation);

/// Returns the result; nullopt without an ablated run, or before both were measured. `model` is
/// that of the main run.
std::optional<AblationResult> resultOf(const TrainingRun &run, const Model &model);

} // namespace headlight::core
