// A whole training run, recorded: the parameters at many steps, and the heads that form. Recorded
// runs are replayed without training again. The same recipe gives the same run, so a session needs
// to store only the recipe.
#pragma once

#include "core/training/run/training_state.h"
#include "core/training/tasks/head_purpose.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace headlight::core {

/// A head that serves a purpose of the task: of all heads of the layer, the one with the highest
/// measure at the end of the run.
struct FormedHead {
    HeadPurpose purpose{};
    AttentionId attention{};
    Index head = 0;
    /// This head and the others of the layer whose final measure is at least half of its own: they
    /// do the same, so only silencing all of them shows what they are for.
    std::vector<Index> alike{};
    /// Mean weight on the keys of the purpose at each snapshot.
    std::vector<double> measures{};
    /// The snapshot from which on the measure is at least half of its final value.
    std::size_t formed = 0;

    /// Returns the interventions that silence the heads that are alike.
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
    std::vector<RunSnapshot> snapshots{}; ///< by step; at least the first and the last one
    /// At most one for each purpose of the task, by layer. Heads whose measure stays small, or
    /// never was less than half of its final value, are left out: no head serves that purpose.
    std::vector<FormedHead> heads{};
    /// Held-out examples that are short enough to be read at a glance. The first ones are those on
    /// which the heads show their purpose most clearly.
    std::vector<Example> examples{};
    /// Loss of the best guess that reads nothing: the entropy of the answers of 1000 training
    /// examples, in nats.
    double guessLoss = 0;
    /// The share of a replay's time at which each snapshot is shown, from 0 to 1 (paceOf()).
    std::vector<double> pace{};

    /// Returns the model at a snapshot.
    Model modelAt(std::size_t snapshot) const;
    /// Returns the last snapshot that is due at this share of the replay's time.
    std::size_t snapshotAtShare(double share) const;
    /// Returns the snapshot nearest to the step.
    std::size_t snapshotAtStep(double step) const;
    /// Returns `count` different snapshots, evenly spaced over the replay's time until `until`:
    /// the first, that one, and others in between. Fewer if there are not as many.
    std::vector<std::size_t> spread(std::size_t until, std::size_t count) const;
};
using RecordedRunPointer = std::shared_ptr<const RecordedRun>;

/// Trains the recipe from its initial model and records it. Calls `progress` with the number of
/// steps made. Errors: as Trainer; the task is not watchable; "cancelled".
Result<RecordedRunPointer> recordRun(const Recipe &recipe, TaskPointer task,
                                     const std::stop_token &stop = {},
                                     const std::function<void(Index)> &progress = {});

/// Returns the mean weight that each head of an attention module gives to the target's keys, over
/// all queries that have some.
Result<std::vector<double>> targetMeasures(const Model &model, const Input &masks,
                                           AttentionId attention, const Task &task,
                                           KeyTarget target, std::span<const Example> examples);

/// Returns where a measure starts to be at least half of its last value for good; nullopt if it is
/// from the start.
std::optional<std::size_t> halfReached(std::span<const double> measures);
/// Returns the pace of a replay: a quarter of its time is for the steps, the rest for the curves,
/// in equal parts. Each curve gets time where it reaches a new best value on its way from the first
/// to the last one, so that noise takes none. `curves`: one number per step in each.
std::vector<double> paceOf(std::span<const Index> steps,
                           const std::vector<std::vector<double>> &curves);

} // namespace headlight::core
