#include "core/training/run/ablation_study.h"

#include "core/cancelled.h"

#include <algorithm>

namespace headlight::core {

Result<AblationStudy> AblationStudy::create(TrainingState state, const TaskPointer &task) {
    const AblatedRunPointer given = std::exchange(state.ablated, nullptr);
    const Recipe recipe = state.recipe;
    Result<Trainer> run = Trainer::create(std::move(state), task);
    if (!run)
        return run.error();
    if (!given)
        return AblationStudy({*std::move(run)}, std::nullopt, {});
    TrainingState other = given->state;
    Result<Recipe> own = ablatedRecipe(recipe, given->ablation,
                                       task->info()); // with the main run's current number of steps
    if (!own)
        return own.error();
    other.recipe = *std::move(own);
    Result<Trainer> ablated = Trainer::create(std::move(other), task);
    if (!ablated)
        return ablated.error();
    return AblationStudy({*std::move(run)}, Runner{*std::move(ablated)}, given->ablation);
}

Index AblationStudy::step() const {
    if (!m_ablated || m_ablated->divergence)
        return run().step();
    return m_run.divergence ? ablated()->step() : std::min(run().step(), ablated()->step());
}

bool AblationStudy::isDone() const {
    const auto isOver = [](const Runner &runner) {
        return runner.divergence || runner.trainer.isDone();
    };
    return isOver(m_run) && (!m_ablated || isOver(*m_ablated));
}

/// Takes a measurement if one is due, then makes a step unless the run has reached `to`.
Outcome AblationStudy::go(Runner &runner, Index to, const std::stop_token &stop) {
    Trainer &trainer = runner.trainer;
    if (runner.divergence)
        return Done{};
    Outcome made = Done{};
    if (trainer.isTimeToMeasure())
        if (const auto heldOut = trainer.measure(stop); !heldOut)
            made = heldOut.error();
    if (made && trainer.step() < to && !trainer.isDone())
        made = trainer.advance(stop);
    if (made)
        return made;
    if (stop.stop_requested() || isCancelled(made.error()))
        return cancelled();
    runner.divergence = made.error();
    return Done{};
}

Outcome AblationStudy::goTo(Index step, const std::stop_token &stop) {
    if (m_ablated)
        if (Outcome made = go(*m_ablated, step, stop); !made)
            return made;
    if (Outcome made = go(m_run, step, stop); !made)
        return made;
    if (m_run.divergence && (!m_ablated || m_ablated->divergence))
        return *m_run.divergence;
    return Done{};
}

TrainingState AblationStudy::state() const {
    TrainingState state = run().state();
    if (m_ablated)
        state.ablated =
            std::make_shared<const AblatedRun>(AblatedRun{m_ablation, ablated()->state()});
    return state;
}

} // namespace headlight::core
