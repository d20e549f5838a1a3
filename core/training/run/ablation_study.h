// A training run and optionally its ablated run. Both train on the same examples and alternate, so
// that they stay at the same step.
#pragma once

#include "core/training/run/ablated_run.h"
#include "core/training/run/trainer.h"

namespace headlight::core {

/// Not thread-safe.
class AblationStudy {
  public:
    /// Resumes the run in `state` and its ablated run. Errors: as Trainer::create().
    static Result<AblationStudy> create(TrainingState state, const TaskPointer &task);

    const Trainer &run() const { return m_run.trainer; }
    /// Returns null if there is no ablated run.
    const Trainer *ablated() const { return m_ablated ? &m_ablated->trainer : nullptr; }
    const Recipe &recipe() const { return run().recipe(); }
    /// Returns the number of steps that both runs have completed. Ignores a run that diverged.
    Index step() const;
    /// True if every run that has not diverged has finished.
    bool isDone() const;

    /// Makes one step of each run, after a measurement if one is due. If stopped, only the ablated
    /// run may have made the step. The next call then catches up. A run that diverges does not stop
    /// the other. Errors: "cancelled"; all runs have diverged.
    Outcome advance(const std::stop_token &stop = {}) { return goTo(step() + 1, stop); }
    /// Takes a measurement if one is due, but does not train. Used after the last step.
    Outcome measure(const std::stop_token &stop = {}) { return goTo(step(), stop); }

    /// Return the error of a run that diverged: the step, and the value that became NaN or
    /// infinite.
    const std::optional<Error> &divergence() const { return m_run.divergence; }
    std::optional<Error> ablatedDivergence() const {
        return m_ablated ? m_ablated->divergence : std::optional<Error>();
    }

    /// Returns a copy of the whole state, including the ablated run.
    TrainingState state() const;

  private:
    struct Runner {
        Trainer trainer;
        std::optional<Error> divergence{};
    };
    AblationStudy(Runner run, std::optional<Runner> ablated, Ablation ablation)
        : m_run(std::move(run)), m_ablated(std::move(ablated)), m_ablation(ablation) {}
    static Outcome go(Runner &runner, Index to, const std::stop_token &stop);
    Outcome goTo(Index step, const std::stop_token &stop);

    Runner m_run;
    std::optional<Runner> m_ablated;
    Ablation m_ablation;
};

} // namespace headlight::core
