// A complete recorded training run: the parameters at many steps, and the heads that form. A
// recorded run can be replayed without training again. The same recipe always results in the same
// run, so a session needs to store only the recipe.
#pragma once

#include "core/training/run/training_state.h"
#include "core/training/tasks/head_purpose.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace headlight::core {

/// A head that serves a purpose of the task: the head of the layer with the highest measure at the
/// end of the run.
struct FormedHead {
    HeadPurpose purpose{};
    AttentionId attention{};
    Index head = 0;
    /// This head and the heads of the layer whose final measure is at least half of this head's.
    /// They do the same thing, so only silencing all of them shows their purpose.
    std::vector<Index> alike{};
    /// The mean attention weight on the purpose's keys at each snapshot.
    std::vector<double> measures{};
    /// The first snapshot after which the measure stays at least half of its final value.
    std::size_t formed = 0;

    /// Returns the interventions that silence all heads of `alike`.
    std::vector<HeadIntervention> silenced() const;
};

/// The model after a step.
struct RunSnapshot {
    Index step = 0;
    ModelParameters weights{};
    HeldOut heldOut{};
};

struct RecordedRun {
    TaskPointer task;
    TrainingState end{};                  ///< after the last step, with the complete history
    std::vector<RunSnapshot> snapshots{}; ///< by step; includes at least the first and last step
    /// At most one head per purpose of the task, by layer. A purpose has no head if the measure
    /// stays small, or was never below half of its final value.
    std::vector<FormedHead> heads{};
    /// Held-out examples that are short enough to be read at a glance. The examples in which the
    /// heads show their purpose most clearly come first.
    std::vector<Example> examples{};
    /// Loss of the best guess without reading the input: the entropy of the answers of 1000
    /// training examples, in nats.
    double guessLoss = 0;
    /// The share of the replay's duration, from 0 to 1, at which each snapshot is shown (see
    /// paceOf()).
    std::vector<double> pace{};

    /// Returns the model at a snapshot.
    Model modelAt(std::size_t snapshot) const;
    /// Returns the last snapshot that is due at this share of the replay's duration.
    std::size_t snapshotAtShare(double share) const;
    /// Returns the snapshot closest to the step.
    std::size_t snapshotAtStep(double step) const;
    /// Returns `count` different snapshots that are evenly spaced over the replay's duration up to
    /// `until`: the first one, `until` itself, and others in between. Returns fewer if the run has
    /// too few.
    std::vector<std::size_t> spread(std::size_t until, std::size_t count) const;
};
using RecordedRunPointer = std::shared_ptr<const RecordedRun>;

/// Trains the recipe from its initial model and records the run. Calls `progress` with the number
/// of completed steps. Errors: those of Trainer; the task is not watchable; "cancelled".
Result<RecordedRunPointer> recordRun(const Recipe &recipe, TaskPointer task,
                                     const std::stop_token &stop = {},
                                     const std::function<void(Index)> &progress = {});

/// Returns the mean weight that each head of an attention module gives to the target's keys, over
/// all queries that have such keys.
Result<std::vector<double>> targetMeasures(const Model &model, const Input &masks,
                                           AttentionId attention, const Task &task,
                                           KeyTarget target, std::span<const Example> examples);

/// Returns the first index from which a measure stays at least half of its last value; nullopt if
/// the measure does so from the start.
std::optional<std::size_t> halfReached(std::span<const double> measures);
/// Returns the share of the replay's duration at which each snapshot is shown. A quarter of the
/// duration is spread evenly over the steps. Each curve gets an equal part of the rest. Its part is
/// spent where the curve reaches a new best value between its first and last values, so noise takes
/// no time. `curves`: one value per snapshot for each curve.
std::vector<double> paceOf(std::span<const Index> steps,
                           const std::vector<std::vector<double>> &curves);

} // namespace headlight::core
