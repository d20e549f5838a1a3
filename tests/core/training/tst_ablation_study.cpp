// Ablation studies: two runs with the same initial parameters and examples, whose models differ in
// one setting, and the outcome.
#include "core/cancelled.h"
#include "core/formats/session/data/session.h"
#include "core/training/run/ablation_result.h"
#include "core/training/run/ablation_study.h"
#include "core/training/run/unmasked_targets.h"
#include "core/transformer/model/parameter_id.h"
#include "core_test.h"
#include "tests/support/long.h"
#include "tests/support/parameter_numbers.h"

using headlight::test::numbersOf;

namespace {

Recipe racingRecipe(const char *task = "repeat") {
    Recipe recipe = findTask(task)->info().recipe;
    recipe.steps = 40;
    recipe.batch = 8;
    return recipe;
}

TrainingState beginning(const Recipe &recipe, Ablation which) {
    const TaskPointer task = findTask(recipe.task);
    TrainingState state;
    state.recipe = recipe;
    state.model = *initialModel(task->info(), recipe.architecture, recipe.seed);
    const Result<AblatedRunPointer> ablated = firstAblatedRun(recipe, which, task->info());
    REQUIRE_MESSAGE(ablated.ok(), (ablated.ok() ? "" : ablated.error().text()));
    state.ablated = *ablated;
    return state;
}

AblationStudy studyOf(const Recipe &recipe, Ablation which) {
    Result<AblationStudy> race =
        AblationStudy::create(beginning(recipe, which), findTask(recipe.task));
    REQUIRE_MESSAGE(race.ok(), (race.ok() ? "" : race.error().text()));
    return *std::move(race);
}

void go(AblationStudy &race, Index steps) {
    for (Index i = 0; i < steps; ++i)
        REQUIRE(race.advance().ok());
}

std::vector<double> lossesOf(const History &history) {
    std::vector<double> losses;
    for (const HistoryPoint &point : history)
        if (point.isStep)
            losses.push_back(point.loss);
    return losses;
}

HistoryPoint racePoint(Index step, double loss, std::optional<HeldOut> heldOut = {}) {
    HistoryPoint point;
    point.step = step;
    point.isStep = true;
    point.loss = loss;
    point.heldOut = heldOut;
    return point;
}

} // namespace

TEST_CASE("each ablation has a name, changes one setting, and is refused if it changes nothing") {
    const TaskInfo &task = findTask("sort")->info();
    for (const Ablation which : kAblations) {
        CAPTURE(idOf(which));
        CHECK(findAblation(idOf(which)) == which);
        const Architecture usual{};
        const Result<Architecture> ablated = withAblation(which, usual, task);
        REQUIRE(ablated.ok());
        CHECK_FALSE(*ablated == usual);
        // Reverts the fields that this ablation may change. The others must be unchanged.
        Architecture back = *ablated;
        back.scaled = usual.scaled;
        if (which != Ablation::NoScale) {
            back.scaled = ablated->scaled;
            back.heads = usual.heads;
            if (which != Ablation::OneHead && which != Ablation::FourHeads) {
                back.heads = ablated->heads;
                back.positions = which == Ablation::NoPositions ? usual.positions : back.positions;
                back.residual = which == Ablation::NoResidual ? usual.residual : back.residual;
                back.norm = which == Ablation::NoNorm ? usual.norm : back.norm;
                back.masked = which == Ablation::NoMask ? usual.masked : back.masked;
            }
        }
        CHECK(back == usual);
        // An ablation cannot be applied to its own result.
        const Result<Architecture> twice = withAblation(which, *ablated, task);
        REQUIRE_FALSE(twice.ok());
        CHECK_FALSE(twice.error().what.empty());
    }
    CHECK_FALSE(findAblation("no-such"));
    Architecture narrow{};
    narrow.width = 6;
    CHECK_FALSE(withAblation(Ablation::FourHeads, narrow, task).ok());
    // Classifiers have no causal mask to remove.
    CHECK_FALSE(withAblation(Ablation::NoMask, {}, findTask("sentiment")->info()).ok());
    CHECK_FALSE(withAblation(Ablation::NoMask, {}, findTask("it")->info()).ok());
    CHECK(withAblation(Ablation::NoMask, {}, findTask("number-words")->info()).ok());
}

TEST_CASE("both runs begin with the same numbers, wherever both have them") {
    Recipe recipe = racingRecipe("sort");
    recipe.architecture.feedForward = 64;
    for (const Ablation which : kAblations) {
        CAPTURE(idOf(which));
        const TrainingState state = beginning(recipe, which);
        const ModelParameters &own = state.model.parameters,
                              &other = state.ablated->state.model.parameters;
        CHECK(state.ablated->ablation == which);
        Index compared = 0;
        for (const ParameterId &id : allParameters(own)) {
            const Parameter &mine = parameterOf(own, id), &its = parameterOf(other, id);
            if (!mine || !its)
                continue;
            // Without residual connections, the layers' outputs are not summed, so these matrices
            // start with a larger standard deviation.
            const bool isSummed =
                id.which == ParameterKind::Output || id.which == ParameterKind::FeedForwardOutput;
            if (which == Ablation::NoResidual && isSummed)
                continue;
            CAPTURE(nameOf(id));
            CHECK(sameNumbers(mine, its));
            ++compared;
        }
        CHECK(compared > 6);
    }
}

TEST_CASE("an ablated run without an effective difference learns exactly the same") {
    // Heads of size 1 divide their scores by √1, so leaving out the division changes nothing.
    Recipe recipe = racingRecipe("sort");
    recipe.architecture.width = 8;
    recipe.architecture.heads = 8;
    AblationStudy race = studyOf(recipe, Ablation::NoScale);
    go(race, 12);
    CHECK(lossesOf(race.run().history()) == lossesOf(race.ablated()->history()));
    CHECK(numbersOf(race.run().model().parameters) ==
          numbersOf(race.ablated()->model().parameters));
    // An ablated run whose model does differ has other losses.
    AblationStudy other = studyOf(racingRecipe("sort"), Ablation::NoPositions);
    go(other, 3);
    CHECK(lossesOf(other.run().history()) != lossesOf(other.ablated()->history()));
}

TEST_CASE("a study that is saved and continued equals an uninterrupted one, and so does each run") {
    const Recipe recipe = racingRecipe();
    AblationStudy straight = studyOf(recipe, Ablation::NoResidual);
    go(straight, 20);
    AblationStudy first = studyOf(recipe, Ablation::NoResidual);
    go(first, 9);
    CHECK(first.step() == 9);
    Result<AblationStudy> second = AblationStudy::create(first.state(), findTask("repeat"));
    REQUIRE(second.ok());
    go(*second, 11);
    for (const auto &[a, b] :
         {std::pair(straight.run().state(), second->run().state()),
          std::pair(straight.ablated()->state(), second->ablated()->state())}) {
        CHECK(numbersOf(a.model.parameters) == numbersOf(b.model.parameters));
        CHECK(numbersOf(a.firstMoment) == numbersOf(b.firstMoment));
        CHECK(lossesOf(a.history) == lossesOf(b.history));
    }
    // Each run equals a single run of its recipe.
    for (const Trainer *trainer : {&straight.run(), straight.ablated()}) {
        Result<Trainer> alone = Trainer::create(trainer->recipe(), findTask("repeat"));
        REQUIRE(alone.ok());
        while (alone->step() < 20) {
            REQUIRE(alone->measure().ok());
            REQUIRE(alone->advance().ok());
        }
        CHECK(lossesOf(alone->history()) == lossesOf(trainer->history()));
    }
}

TEST_CASE("a pause leaves the runs at most one step apart, and the next step evens that out") {
    AblationStudy race = studyOf(racingRecipe(), Ablation::NoNorm);
    std::stop_source stop;
    stop.request_stop();
    const Outcome stopped = race.advance(stop.get_token());
    REQUIRE_FALSE(stopped.ok());
    CHECK(isCancelled(stopped.error()));
    CHECK_FALSE(race.divergence());
    CHECK_FALSE(race.ablatedDivergence());
    // A state as if the study had been stopped between the two runs' steps.
    TrainingState ahead = race.state();
    AblationStudy both = studyOf(racingRecipe(), Ablation::NoNorm);
    go(both, 1);
    ahead.ablated = both.state().ablated;
    Result<AblationStudy> resumed = AblationStudy::create(ahead, findTask("repeat"));
    REQUIRE(resumed.ok());
    CHECK(resumed->step() == 0);
    go(*resumed, 1);
    CHECK(resumed->run().step() == 1);
    CHECK(resumed->ablated()->step() == 1);
}

TEST_CASE("a run that diverges does not end the other one") {
    // The same study, in which a parameter of one run overflows.
    const auto broken = [](Model model) {
        const ParameterId id{0, ParameterKind::Query};
        Matrix query = *parameterOf(model.parameters, id)->toMatrix();
        query(0, 0) = std::numeric_limits<float>::infinity();
        parameterOf(model.parameters, id) = makeParameter(std::move(query));
        return model;
    };
    const auto finish = [](AblationStudy &race) {
        while (!race.isDone())
            REQUIRE(race.advance().ok());
        REQUIRE(race.measure().ok());
    };
    TrainingState state = beginning(racingRecipe(), Ablation::NoScale);
    AblatedRun ablated = *state.ablated;
    ablated.state.model = broken(ablated.state.model);
    TrainingState withBadAblatedRun = state;
    withBadAblatedRun.ablated = std::make_shared<const AblatedRun>(ablated);
    Result<AblationStudy> race = AblationStudy::create(withBadAblatedRun, findTask("repeat"));
    REQUIRE(race.ok());
    finish(*race);
    CHECK_FALSE(race->divergence());
    REQUIRE(race->ablatedDivergence());
    CHECK(race->ablated()->step() == 0);
    CHECK(race->run().isDone());
    CHECK(race->step() == 40);

    TrainingState withBadRun = state;
    withBadRun.model = broken(state.model);
    race = AblationStudy::create(withBadRun, findTask("repeat"));
    REQUIRE(race.ok());
    finish(*race);
    REQUIRE(race->divergence());
    CHECK_FALSE(race->ablatedDivergence());
    CHECK(race->run().step() == 0);
    CHECK(race->ablated()->isDone());
    CHECK(race->step() == 40);

    withBadRun.ablated = withBadAblatedRun.ablated;
    race = AblationStudy::create(withBadRun, findTask("repeat"));
    REQUIRE(race.ok());
    CHECK_FALSE(race->advance().ok());
    CHECK(race->isDone());
}

TEST_CASE("without a mask, the last target is left out if it alone is not in the input") {
    const TaskInfo &task = findTask("sort")->info();
    CHECK_FALSE(seesTargets(task, {}));
    Architecture open{};
    open.masked = false;
    CHECK(seesTargets(task, open));
    CHECK_FALSE(seesTargets(findTask("sentiment")->info(), open));

    // a b → a b [EOS]
    const Example sorted{{1, 2, 9, 1, 2}, {}, {kLeftOut, kLeftOut, 1, 2, 10}};
    std::vector<Example> examples{sorted};
    leaveOutLast(examples);
    CHECK(examples[0].answers == std::vector<Index>{kLeftOut, kLeftOut, 1, 2, kLeftOut});
    // Targets that are not the next tokens are all kept, and so is a single target.
    const Example before{{1, 2, 3}, {}, {kLeftOut, 1, 2}}, single{{1, 2}, {}, {kLeftOut, 7}};
    examples = {before, single};
    leaveOutLast(examples);
    CHECK(examples == std::vector{before, single});

    const std::vector<Example> parts = asWritten(sorted);
    REQUIRE(parts.size() == 3);
    CHECK(parts[1].tokens == std::vector<Index>{1, 2, 9, 1});
    CHECK(parts[1].answers == std::vector<Index>{kLeftOut, kLeftOut, kLeftOut, 2});
    CHECK(parts[2].answers.back() == 10);
}

TEST_CASE("a model that sees the targets learns to copy them, and generates nonsense") {
    Recipe recipe = racingRecipe("sort");
    recipe.steps = 300;
    recipe.batch = 32;
    AblationStudy race = studyOf(recipe, Ablation::NoMask);
    while (!race.isDone())
        REQUIRE(race.advance().ok());
    REQUIRE(race.measure().ok());
    const std::optional<AblationResult> result = resultOf(runOf(race.state()), race.run().model());
    REQUIRE(result);
    CHECK(result->step == 300);
    CHECK(result->ablated.heldOut.loss < 0.05);
    CHECK(result->ablated.heldOut.accuracy > 0.9);
    REQUIRE(result->ablated.heldOut.written);
    CHECK(*result->ablated.heldOut.written < 0.1);
    CHECK_FALSE(result->run.heldOut.written); // not measured, because it would equal the accuracy
    CHECK(result->ablated.stepsToHalfLoss);
    CHECK_FALSE(result->ablated.divergence);
}

TEST_CASE("scaling: the ablation of the last step has the result that the lesson states") {
    if (!headlight::test::isLong())
        return; // the ablation takes minutes
    const std::filesystem::path path =
        std::filesystem::path(HEADLIGHT_LESSONS) / "scaling.headlight";
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const Session lesson = test::valueOf(readSession(bytes));
    const LessonStep &step = lesson.lesson->steps.back();
    REQUIRE(step.run);
    REQUIRE(step.run->ablation);
    REQUIRE(step.text.size() == 2);
    const auto resultAt = [&](float rateFactor) {
        Recipe recipe = step.run->recipe;
        recipe.optimizer.learningRate *= rateFactor;
        AblationStudy race = studyOf(recipe, *step.run->ablation);
        while (!race.isDone())
            REQUIRE(race.advance().ok());
        REQUIRE(race.measure().ok());
        const auto result = resultOf(runOf(race.state()), race.run().model());
        REQUIRE(result);
        return *result;
    };
    const auto says = [&step](std::size_t paragraph, const char *words) {
        return step.text[paragraph].find(words) != std::string::npos;
    };
    const AblationResult result = resultAt(1);
    REQUIRE(result.run.stepsToHalfLoss);
    REQUIRE(result.ablated.stepsToHalfLoss);
    const double share = static_cast<double>(*result.run.stepsToHalfLoss) /
                         static_cast<double>(*result.ablated.stepsToHalfLoss);
    CHECK(share == doctest::Approx(1.0 / 12).epsilon(0.2));
    CHECK(says(0, "the first reached half the **loss** of guessing in a twelfth of the steps"));
    CHECK(result.run.heldOut.accuracy > 0.995);
    CHECK(result.ablated.heldOut.accuracy == doctest::Approx(0.9).epsilon(0.05));
    CHECK(says(0, "In the end it got everything right; the other, nine out of ten."));
    CHECK(*result.ablated.lossVariation <= *result.run.lossVariation);
    CHECK(says(1, "The other's curve was *not* more jagged."));
    CHECK(resultAt(3).ablated.heldOut.accuracy < 0.05);
    CHECK(says(1, "At three times the learning rate, it learned almost nothing."));
}

TEST_CASE("the results of both runs are from the same step") {
    const Model model = *initialModel(findTask("sort")->info(), {}, 1);
    const double guessing = std::log(19.0); // letters, [PAD], the arrow and [EOS]
    TrainingRun run;
    CHECK_FALSE(resultOf(run, model));
    AblatedRun ablated;
    run.history = {racePoint(0, 3, HeldOut{3, 0}), racePoint(1, 1),
                   racePoint(2, 1, HeldOut{guessing / 2, 0.99}), racePoint(3, 2, HeldOut{0.1, 1})};
    ablated.state.history = {racePoint(0, 4, HeldOut{4, 0.125})};
    run.ablated = std::make_shared<const AblatedRun>(ablated);
    auto result = resultOf(run, model);
    REQUIRE(result);
    CHECK(result->step == 0);
    CHECK(result->guessing == doctest::Approx(guessing));
    CHECK(result->run.heldOut == HeldOut{3, 0});
    CHECK(result->ablated.heldOut == HeldOut{4, 0.125});
    CHECK(result->ablated.divergence == 1); // the other run is three steps ahead
    CHECK(result->run.lossVariation.has_value());
    CHECK_FALSE(result->ablated.lossVariation); // one batch has no variation
    CHECK_FALSE(result->run.divergence);

    ablated.state.history.push_back(racePoint(1, 2));
    ablated.state.history.push_back(racePoint(2, 4, HeldOut{2, 0.5}));
    run.ablated = std::make_shared<const AblatedRun>(ablated);
    result = resultOf(run, model);
    CHECK(result->step == 2); // the last step at which both runs were measured
    CHECK(result->run.heldOut.accuracy == 0.99);
    CHECK(result->run.stepsToHalfLoss == 2);
    CHECK(result->run.learned == 2);
    CHECK_FALSE(result->ablated.stepsToHalfLoss);
    CHECK_FALSE(result->ablated.learned);
    CHECK(result->run.lossVariation.value() == doctest::Approx((2 + 0 + 1) / 7.0));
    CHECK(result->ablated.lossVariation.value() == doctest::Approx((2 + 2) / 10.0));
    CHECK_FALSE(result->ablated.divergence); // the runs alternate, so they may be one step apart
}

TEST_CASE("the verdict follows from the numbers") {
    const auto side = [](double loss, double accuracy, std::optional<Index> learned = {}) {
        RunMetrics made;
        made.heldOut = {loss, accuracy};
        made.learned = learned;
        return made;
    };
    const auto verdict = [](const RunMetrics &run, const RunMetrics &ablated, Ablation ablation) {
        return verdictOf({100, 3, run, ablated}, ablation);
    };
    using enum Verdict;
    using enum Ablation;
    CHECK(verdict(side(0.1, 1, 40), side(0.1, 1, 60), NoScale) == AsClaimed);
    CHECK(verdict(side(0.1, 1, 40), side(0.1, 1, 40), NoScale) == NoClearDifference);
    CHECK(verdict(side(0.1, 1, 60), side(0.1, 1, 40), NoScale) == Contradicted);
    CHECK(verdict(side(0.1, 0.9), side(0.1, 1, 90), NoNorm) == Contradicted);
    CHECK(verdict(side(1, 0.5), side(1, 0.44), NoResidual) == AsClaimed);
    CHECK(verdict(side(1, 0.5), side(1, 0.47), NoResidual) == NoClearDifference);
    CHECK(verdict(side(1, 0), side(2, 0), NoPositions) == AsClaimed);
    CHECK(verdict(side(0.1, 1, 40), side(0.1, 1, 90), NoPositions) == Contradicted);
    CHECK(verdict(side(2, 0), side(1, 0), OneHead) == Contradicted);
    // With this ablation, the ablated run has four heads and should be better.
    CHECK(verdict(side(0.1, 1, 60), side(0.1, 1, 40), FourHeads) == AsClaimed);
    CHECK(verdict(side(0.1, 1, 40), side(0.1, 1, 60), FourHeads) == Contradicted);
    RunMetrics divergence = side(0.1, 1, 10);
    divergence.divergence = 50;
    CHECK(verdict(side(2, 0), divergence, NoNorm) == AsClaimed);
    CHECK(verdict(divergence, side(2, 0), NoNorm) == Contradicted);
    RunMetrics copying = side(0.01, 1);
    copying.heldOut.written = 0.05;
    CHECK(verdict(side(1, 0.5), copying, NoMask) == AsClaimed);
    copying.heldOut.loss = 0.1;
    CHECK(verdict(side(1, 0.5), copying, NoMask) == Contradicted);
    copying.heldOut.loss = 0.01;
    copying.heldOut.written = 0.5;
    CHECK(verdict(side(1, 0.5), copying, NoMask) == Contradicted);
    copying.heldOut.written.reset(); // an accuracy that was not measured does not decide
    CHECK(verdict(side(1, 0.5), copying, NoMask) == NoClearDifference);
}
