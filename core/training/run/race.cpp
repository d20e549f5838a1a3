#include "core/training/run/race.h"

#include "core/cancelled.h"

#include <algorithm>

namespace headlight::core {

Result<Race> Race::create(TrainingState state, const TaskPointer &task) {
    const RivalPointer given = std::exchange(state.rival, nullptr);
    const Recipe recipe = state.recipe;
    Result<Trainer> run = Trainer::create(std::move(state), task);
    if (!run)
        return run.error();
    if (!given)
        return Race({*std::move(run)}, std::nullopt, {});
    TrainingState other = given->state;
    Result<Recipe> own = rivalRecipe(recipe, given->turned, task->info()); // steps may be more now
    if (!own)
        return own.error();
    other.recipe = *std::move(own);
    Result<Trainer> rival = Trainer::create(std::move(other), task);
    if (!rival)
        return rival.error();
    return Race({*std::move(run)}, Runner{*std::move(rival)}, given->turned);
}

Index Race::step() const {
    if (!m_rival || m_rival->fallen)
        return run().step();
    return m_run.fallen ? rival()->step() : std::min(run().step(), rival()->step());
}

bool Race::isDone() const {
    const auto isOver = [](const Runner &runner) {
        return runner.fallen || runner.trainer.isDone();
    };
    return isOver(m_run) && (!m_rival || isOver(*m_rival));
}

/// What is due is measured, and a step is made where it has not made it yet.
Outcome Race::go(Runner &runner, Index to, const std::stop_token &stop) {
    Trainer &trainer = runner.trainer;
    if (runner.fallen)
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
    runner.fallen = made.error();
    return Done{};
}

Outcome Race::goTo(Index step, const std::stop_token &stop) {
    if (m_rival)
        if (Outcome made = go(*m_rival, step, stop); !made)
            return made;
    if (Outcome made = go(m_run, step, stop); !made)
        return made;
    if (m_run.fallen && (!m_rival || m_rival->fallen))
        return *m_run.fallen;
    return Done{};
}

TrainingState Race::state() const {
    TrainingState state = run().state();
    if (m_rival)
        state.rival = std::make_shared<const Rival>(Rival{m_turned, rival()->state()});
    return state;
}

} // namespace headlight::core
