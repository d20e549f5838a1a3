// Training runs: they learn, a pause does not change them, and they stop when numbers overflow.
#include "core/cancelled.h"
#include "core/training/optimizer/optimizer.h"
#include "core/training/pass/training_pass.h"
#include "core/training/run/history.h"
#include "core/training/run/trainer.h"
#include "core/transformer/model/parameter_id.h"
#include "core_test.h"
#include "tests/support/parameter_numbers.h"

using headlight::test::numbersOf;

namespace {

Recipe smallRecipe() {
    Recipe recipe = findTask("repeat")->info().recipe;
    recipe.steps = 60;
    recipe.batch = 16;
    return recipe;
}

Trainer trainerOf(const Recipe &recipe) {
    Result<Trainer> trainer = Trainer::create(recipe, findTask(recipe.task));
    REQUIRE_MESSAGE(trainer.ok(), (trainer.ok() ? "" : trainer.error().text()));
    return std::move(*trainer);
}

void go(Trainer &trainer, Index steps) {
    for (Index i = 0; i < steps; ++i) {
        if (trainer.isTimeToMeasure())
            REQUIRE(trainer.measure().ok());
        REQUIRE(trainer.advance().ok());
    }
}

void checkSame(const TrainingState &a, const TrainingState &b) {
    CHECK(a.step == b.step);
    CHECK(numbersOf(a.model.parameters) == numbersOf(b.model.parameters));
    CHECK(numbersOf(a.firstMoment) == numbersOf(b.firstMoment));
    CHECK(numbersOf(a.secondMoment) == numbersOf(b.secondMoment));
    REQUIRE(a.history.size() == b.history.size());
    for (std::size_t i = 0; i < a.history.size(); ++i) {
        CHECK(a.history[i].step == b.history[i].step);
        CHECK(a.history[i].loss == b.history[i].loss);
        CHECK(a.history[i].heldOut == b.history[i].heldOut);
    }
}

} // namespace

TEST_CASE("a run that is saved and continued equals an uninterrupted one to the last bit") {
    for (const OptimizerKind kind : {OptimizerKind::AdamW, OptimizerKind::Sgd}) {
        Recipe recipe = smallRecipe();
        recipe.optimizer.kind = kind;
        Trainer straight = trainerOf(recipe);
        go(straight, 40);
        Trainer first = trainerOf(recipe);
        go(first, 17);
        Result<Trainer> second = Trainer::create(first.state(), findTask(recipe.task));
        REQUIRE(second.ok());
        CHECK(second->step() == 17);
        go(*second, 23);
        checkSame(second->state(), straight.state());
    }
}

TEST_CASE("a rate of 1000 stops at the first NaN or infinity, with the state before it") {
    for (const OptimizerKind kind : {OptimizerKind::AdamW, OptimizerKind::Sgd}) {
        Recipe recipe = smallRecipe();
        recipe.steps = 3000;
        recipe.optimizer.kind = kind;
        recipe.optimizer.learningRate = 1000;
        recipe.optimizer.warmUp = 0;
        Trainer trainer = trainerOf(recipe);
        Outcome outcome = Done{};
        while (outcome && !trainer.isDone())
            outcome = trainer.advance();
        REQUIRE_FALSE(outcome.ok());
        CHECK(outcome.error().where == "step " + std::to_string(trainer.step()));
        CHECK(outcome.error().what.text().find("became NaN or infinite") != std::string::npos);
        for (const float number : numbersOf(trainer.state().model.parameters))
            REQUIRE(std::isfinite(number));
        CHECK(static_cast<Index>(trainer.history().size()) == trainer.step());
    }
}

TEST_CASE("whenever a step is stopped, the run equals an uninterrupted one to the last bit") {
    Recipe recipe = findTask("repeat")->info().recipe;
    recipe.steps = 6;
    recipe.architecture.width = 64;
    recipe.architecture.feedForward = 256;
    Trainer straight = trainerOf(recipe);
    go(straight, 6);
    Trainer stopped = trainerOf(recipe);
    Index stops = 0;
    int wait = 0;
    while (!stopped.isDone()) {
        std::stop_source stop;
        const std::jthread other([&stop, wait] {
            for (int i = 0; i < wait; ++i)
                std::this_thread::yield();
            stop.request_stop();
        });
        Outcome made = Done{};
        if (stopped.isTimeToMeasure())
            if (const auto heldOut = stopped.measure(stop.get_token()); !heldOut)
                made = heldOut.error();
        if (made)
            made = stopped.advance(stop.get_token());
        if (made)
            continue;
        REQUIRE(isCancelled(made.error()));
        ++stops;
        wait += 100 + wait / 8; // each stop is a bit later
    }
    CHECK(stops > 0);
    checkSame(stopped.state(), straight.state());
}

TEST_CASE("a stopped update writes nothing more") {
    Trainer trainer = trainerOf(smallRecipe());
    Result<TrainingPass> pass = TrainingPass::create(
        trainer.model(), masksOf(trainer.task().info(), {}), {16, trainer.task().info().length, 0});
    REQUIRE(pass.ok());
    const FlatParameters &places = pass->parameters();
    Optimizer optimizer(trainer.recipe().optimizer, places);
    AlignedNumbers weights(places.size()), moments(places.size()), more(places.size());
    AlignedNumbers after(places.size()), afterMoments(places.size()), afterMore(places.size());
    REQUIRE(places.read(trainer.model().parameters, weights.data()).ok());
    std::stop_source stop;
    stop.request_stop();
    const ParameterSlices before{weights.data(), moments.data(), more.data()};
    const ParameterSlices next{after.data(), afterMoments.data(), afterMore.data()};
    optimizer.advance(0, {0.1, 1, 1}, weights.data(), before, next, stop.get_token());
    CHECK(optimizer.lengthOf(after.data()) == 0);
    optimizer.advance(0, {0.1, 1, 1}, weights.data(), before, next);
    CHECK(optimizer.lengthOf(after.data()) > 0);
}

TEST_CASE("training resumes from edited parameters") {
    Trainer trainer = trainerOf(smallRecipe());
    go(trainer, 3);
    ModelParameters edited = trainer.model().parameters;
    Parameter &query = edited.main.layers[0].selfAttention.query;
    query = withCells(query, {{0, 0, 5.0f}});
    REQUIRE(trainer.setWeights(edited).ok());
    CHECK((*trainer.model().parameters.main.layers[0].selfAttention.query)(0, 0) == 5.0f);
    go(trainer, 1);
    CHECK((*trainer.model().parameters.main.layers[0].selfAttention.query)(0, 0) ==
          doctest::Approx(5).epsilon(0.01));

    edited.main.layers[0].selfAttention.query = makeParameter(Matrix(1, 1));
    CHECK(trainer.setWeights(edited).error().where == "layers.0.self_attention.query");
    edited.main.layers[0].selfAttention.query = nullptr;
    CHECK_FALSE(trainer.setWeights(edited).ok());
}

TEST_CASE("what does not fit the task is refused") {
    TrainingState state = trainerOf(smallRecipe()).state();
    state.model.vocabulary = *Vocabulary::create({"a", "b"});
    CHECK(Trainer::create(state, findTask("repeat")).error().where == "training.recipe.task");
    state = trainerOf(smallRecipe()).state();
    state.firstMoment.main.layers[0].selfAttention.query = makeParameter(Matrix(2, 2));
    CHECK(Trainer::create(state, findTask("repeat")).error().where ==
          "layers.0.self_attention.query");
    state = trainerOf(smallRecipe()).state();
    state.model.config.scoreCap.limit = 3;
    CHECK(Trainer::create(state, findTask("repeat")).error().where == "model.score_cap");
    CHECK(Trainer::create(state, nullptr).error().where == "recipe.task");
    CHECK(Trainer::create(state.recipe, nullptr).error().where == "recipe.task");
}

TEST_CASE("a history stays short, and does not depend on whether the run was interrupted") {
    History history;
    for (Index step = 0; step <= 20000; ++step) {
        HistoryPoint point = takePointOf(history, step);
        if (step % 200 == 0)
            point.heldOut = HeldOut{};
        addPoint(history, point);
        REQUIRE(history.size() <= kMaxHistory);
    }
    CHECK(history.front().step == 0);
    CHECK(history.back().step == 20000);
    int measured = 0;
    for (std::size_t i = 0; i < history.size(); ++i) {
        CHECK((i == 0 || history[i].step > history[i - 1].step));
        measured += history[i].heldOut ? 1 : 0;
    }
    CHECK(measured == 101);
    CHECK(history.size() > kMaxHistory / 4);
}

TEST_CASE("the update of a single weight is predicted, number by number") {
    for (const OptimizerKind kind : {OptimizerKind::AdamW, OptimizerKind::Sgd}) {
        Recipe recipe = smallRecipe();
        recipe.optimizer.kind = kind;
        recipe.optimizer.clip = 0.05f; // so small that it takes effect
        Trainer trainer = trainerOf(recipe);
        go(trainer, 5);
        const ParameterId id{1, ParameterKind::Key, Block::SelfAttention, Stack::Main};
        const auto number = [&trainer] {
            return static_cast<double>(
                (*trainer.model().parameters.main.layers[1].selfAttention.key)(3, 2));
        };
        const double before = number();
        const Result<WeightUpdate> said = trainer.nextUpdate(id, 3, 2);
        REQUIRE(said.ok());
        CHECK(trainer.step() == 5);
        CHECK(number() == before);
        CHECK(said->before == before);
        REQUIRE(trainer.advance().ok());
        CHECK(said->after == number());
        CHECK(said->gradientLength == trainer.history().back().gradientLength);
        CHECK(said->clipFactor == doctest::Approx(0.05 / said->gradientLength));
        // The printed values are consistent.
        const double g = said->gradient * said->clipFactor;
        if (kind == OptimizerKind::AdamW) {
            CHECK(said->firstAfter == doctest::Approx(0.9 * said->firstBefore + 0.1 * g));
            CHECK(said->secondAfter == doctest::Approx(0.99 * said->secondBefore + 0.01 * g * g));
            CHECK(rowsOf(*said).size() == 6);
        } else {
            CHECK(said->firstAfter == doctest::Approx(0.9 * said->firstBefore + g));
            CHECK(rowsOf(*said).size() == 5);
        }
        const std::vector<UpdateRow> rows = rowsOf(*said);
        CHECK(rows.front().value == said->gradient);
        CHECK(rows[1].value == doctest::Approx(g));
        CHECK(rows[2].value == said->firstAfter);
        CHECK(rows[rows.size() - 2].value == said->after - said->before);
        CHECK(rows.back().value == said->after);
    }
    Trainer trainer = trainerOf(smallRecipe());
    CHECK_FALSE(trainer.nextUpdate({0, ParameterKind::Gate}, 0, 0).ok());
    CHECK_FALSE(trainer.nextUpdate({0, ParameterKind::Key}, 0, 1000).ok());
}
