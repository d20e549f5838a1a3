// The result of an ablation study so far.
#pragma once

#include "core/training/run/ablated_run.h"
#include "core/training/run/training_run.h"

namespace headlight::core {

/// Minimum held-out accuracy at which a task counts as learned.
inline constexpr double kLearned = 0.99;

struct RunMetrics {
    HeldOut heldOut{}; ///< metrics at the result's step
    /// First measured step at which the loss is at most half of the guessing loss.
    std::optional<Index> stepsToHalfLoss{};
    std::optional<Index> learned{}; ///< first measured step with an accuracy ≥ kLearned
    /// Mean change of the loss between batches, relative to the loss: Σ|lᵢ₊₁ − lᵢ| ÷ Σlᵢ over the
    /// batches in the history. Nullopt if there are fewer than two.
    std::optional<double> lossVariation{};
    /// The step at which the run diverged, if the other one continued.
    std::optional<Index> divergence{};
};

struct AblationResult {
    Index step = 0;      ///< latest step for which both runs have metrics
    double guessing = 0; ///< loss of uniform guesses
    RunMetrics run{}, ablated{};
};

/// Compares the result with the claim in the literature about which run learns better. A run is
/// clearly better if only that run reaches kLearned, or in less than 0.8 of the other's steps. If
/// neither reaches it, a run is better if its accuracy is higher by 0.05. If the accuracies are
/// closer, it is better if its loss is less than 0.8 of the other's. A run that diverged is worse.
/// NoPositions: the claim is that tasks that depend on order cannot be learned, so reaching
/// kLearned contradicts it. NoMask: the claim is a loss below 1/50 of the guessing loss, but fewer
/// than 1/10 of the generated examples correct.
enum class Verdict { AsClaimed, NoClearDifference, Contradicted };

/// The criterion by which a run is clearly better, in order of priority.
enum class Criterion {
    WentOn,    ///< the other run diverged
    Learned,   ///< only this run has learned the task
    Sooner,    ///< both have learned the task, this one in fewer steps
    MoreRight, ///< neither has learned the task, but this one has a higher accuracy
    LessLoss,
};
struct Winner {
    bool isAblated = false;
    Criterion by = Criterion::LessLoss;
};
/// Returns the run that is clearly better; nullopt if there is none.
std::optional<Winner> winnerOf(const AblationResult &result);
Verdict verdictOf(const AblationResult &result, Ablation ablation);

/// Returns the result; nullopt without an ablated run, or before both runs were measured. `model`:
/// the main run's model.
std::optional<AblationResult> resultOf(const TrainingRun &run, const Model &model);

} // namespace headlight::core
