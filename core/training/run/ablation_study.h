// A run, and where it has one its rival: both learn from the same examples, a step each in turns,
// so that they are at the same step.
#pragma once

#include "core/training/run/ablated_run.h"
#include "core/training/run/trainer.h"

namespace headlight::core {

/// On one thread at a time.
class AblationStudy {
  public:
    /// Goes on from the state, and from its rival's. Errors: as Trainer::create().
    static Result<AblationStudy> create(TrainingState state, const TaskPointer &task);

    const Trainer &run() const { return m_run.trainer; }
    /// Null: nobody races.
    const Trainer *ablated() const { return m_ablated ? &m_ablated->trainer : nullptr; }
    const Recipe &recipe() const { return run().recipe(); }
    /// How many steps were made by both; of whoever has ended at a number that is none, nobody
    /// asks.
    Index step() const;
    /// Whoever could go on has made all steps.
    bool isDone() const;

    /// One step of each, with what is to be measured before it. A stopped one may have been made by
    /// the rival alone; the next one makes up for it. Errors: "cancelled"; a number is none or
    /// infinite, and nobody goes on. One that ends so does not end the other.
    Outcome advance(const std::stop_token &stop = {}) { return goTo(step() + 1, stop); }
    /// What is due, and no step: at the end.
    Outcome measure(const std::stop_token &stop = {}) { return goTo(step(), stop); }

    /// Why the run, or the rival, does not go on: at which step which number was none.
    const std::optional<Error> &divergence() const { return m_run.divergence; }
    std::optional<Error> ablatedDivergence() const {
        return m_ablated ? m_ablated->divergence : std::optional<Error>();
    }

    /// All of it, with the rival's: a copy.
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
