// Races: one switch of a model turned, the same numbers and examples, and what came out.
#include "core/cancelled.h"
#include "core/training/run/peeking.h"
#include "core/training/run/race.h"
#include "core/training/run/race_result.h"
#include "core/transformer/model/parameter_id.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace headlight::core;

namespace {

Recipe racingRecipe(const char *task = "repeat") {
    Recipe recipe = findTask(task)->info().recipe;
    recipe.steps = 40;
    recipe.batch = 8;
    return recipe;
}

TrainingState beginning(const Recipe &recipe, RaceSwitch which) {
    const TaskPointer task = findTask(recipe.task);
    TrainingState state;
    state.recipe = recipe;
    state.model = *initialModel(task->info(), recipe.architecture, recipe.seed);
    const Result<RivalPointer> rival = firstRival(recipe, which, task->info());
    REQUIRE_MESSAGE(rival.ok(), (rival.ok() ? "" : rival.error().text()));
    state.rival = *rival;
    return state;
}

Race raceOf(const Recipe &recipe, RaceSwitch which) {
    Result<Race> race = Race::create(beginning(recipe, which), findTask(recipe.task));
    REQUIRE_MESSAGE(race.ok(), (race.ok() ? "" : race.error().text()));
    return *std::move(race);
}

void go(Race &race, Index steps) {
    for (Index i = 0; i < steps; ++i)
        REQUIRE(race.advance().ok());
}

std::vector<float> racingNumbers(const Weights &weights) {
    std::vector<float> all;
    for (const ParameterId &id : allParameters(weights))
        if (const Parameter &parameter = parameterOf(weights, id)) {
            const Matrix matrix = *parameter->toMatrix();
            all.insert(all.end(), matrix.values().begin(), matrix.values().end());
        }
    return all;
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

TEST_CASE("each switch has a name, turns one thing, and is refused where it would turn nothing") {
    const TaskInfo &task = findTask("sort")->info();
    for (const RaceSwitch which : kRaceSwitches) {
        CAPTURE(idOf(which));
        CHECK(findRaceSwitch(idOf(which)) == which);
        const Architecture usual{};
        const Result<Architecture> rival = turned(which, usual, task);
        REQUIRE(rival.ok());
        CHECK_FALSE(*rival == usual);
        // Back, by every field it may have changed: so nothing else was.
        Architecture back = *rival;
        back.scaled = usual.scaled;
        if (which != RaceSwitch::NoScale) {
            back.scaled = rival->scaled;
            back.heads = usual.heads;
            if (which != RaceSwitch::OneHead && which != RaceSwitch::FourHeads) {
                back.heads = rival->heads;
                back.positions =
                    which == RaceSwitch::NoPositions ? usual.positions : back.positions;
                back.residual = which == RaceSwitch::NoResidual ? usual.residual : back.residual;
                back.norm = which == RaceSwitch::NoNorm ? usual.norm : back.norm;
                back.masked = which == RaceSwitch::NoMask ? usual.masked : back.masked;
            }
        }
        CHECK(back == usual);
        // What was turned cannot be turned once more.
        const Result<Architecture> twice = turned(which, *rival, task);
        REQUIRE_FALSE(twice.ok());
        CHECK_FALSE(twice.error().what.empty());
    }
    CHECK_FALSE(findRaceSwitch("no-such"));
    Architecture narrow{};
    narrow.width = 6;
    CHECK_FALSE(turned(RaceSwitch::FourHeads, narrow, task).ok());
    // Of a class every token sees all others.
    CHECK_FALSE(turned(RaceSwitch::NoMask, {}, findTask("sentiment")->info()).ok());
    CHECK_FALSE(turned(RaceSwitch::NoMask, {}, findTask("it")->info()).ok());
    CHECK(turned(RaceSwitch::NoMask, {}, findTask("number-words")->info()).ok());
}

TEST_CASE("both begin with the same numbers, wherever both have them") {
    Recipe recipe = racingRecipe("sort");
    recipe.architecture.feedForward = 64;
    for (const RaceSwitch which : kRaceSwitches) {
        CAPTURE(idOf(which));
        const TrainingState state = beginning(recipe, which);
        const Weights &own = state.model.weights, &other = state.rival->state.model.weights;
        CHECK(state.rival->turned == which);
        Index compared = 0;
        for (const ParameterId &id : allParameters(own)) {
            const Parameter &mine = parameterOf(own, id), &its = parameterOf(other, id);
            if (!mine || !its)
                continue;
            // Without residual connections nothing is summed up: those matrices are drawn larger.
            const bool isSummed =
                id.which == ParameterKind::Output || id.which == ParameterKind::FeedForwardOutput;
            if (which == RaceSwitch::NoResidual && isSummed)
                continue;
            CAPTURE(nameOf(id));
            CHECK(sameNumbers(mine, its));
            ++compared;
        }
        CHECK(compared > 6);
    }
}

TEST_CASE("a rival that differs in nothing that counts learns the very same") {
    // Scores of heads of one number are divided by 1.
    Recipe recipe = racingRecipe("sort");
    recipe.architecture.width = 8;
    recipe.architecture.heads = 8;
    Race race = raceOf(recipe, RaceSwitch::NoScale);
    go(race, 12);
    CHECK(lossesOf(race.run().history()) == lossesOf(race.rival()->history()));
    CHECK(racingNumbers(race.run().model().weights) ==
          racingNumbers(race.rival()->model().weights));
    // And one that differs does not.
    Race other = raceOf(racingRecipe("sort"), RaceSwitch::NoPositions);
    go(other, 3);
    CHECK(lossesOf(other.run().history()) != lossesOf(other.rival()->history()));
}

TEST_CASE(
    "a race that is saved and continued is the straight one, and neither disturbs the other") {
    const Recipe recipe = racingRecipe();
    Race straight = raceOf(recipe, RaceSwitch::NoResidual);
    go(straight, 20);
    Race first = raceOf(recipe, RaceSwitch::NoResidual);
    go(first, 9);
    CHECK(first.step() == 9);
    Result<Race> second = Race::create(first.state(), findTask("repeat"));
    REQUIRE(second.ok());
    go(*second, 11);
    for (const auto &[a, b] : {std::pair(straight.run().state(), second->run().state()),
                               std::pair(straight.rival()->state(), second->rival()->state())}) {
        CHECK(racingNumbers(a.model.weights) == racingNumbers(b.model.weights));
        CHECK(racingNumbers(a.firstMoment) == racingNumbers(b.firstMoment));
        CHECK(lossesOf(a.history) == lossesOf(b.history));
    }
    // Each is the run that its own recipe gives alone.
    for (const Trainer *trainer : {&straight.run(), straight.rival()}) {
        Result<Trainer> alone = Trainer::create(trainer->recipe(), findTask("repeat"));
        REQUIRE(alone.ok());
        while (alone->step() < 20) {
            REQUIRE(alone->measure().ok());
            REQUIRE(alone->advance().ok());
        }
        CHECK(lossesOf(alone->history()) == lossesOf(trainer->history()));
    }
}

TEST_CASE("a pause finds them at most one step apart, and the next step makes up for it") {
    Race race = raceOf(racingRecipe(), RaceSwitch::NoNorm);
    std::stop_source stop;
    stop.request_stop();
    const Outcome stopped = race.advance(stop.get_token());
    REQUIRE_FALSE(stopped.ok());
    CHECK(isCancelled(stopped.error()));
    CHECK_FALSE(race.fallen());
    CHECK_FALSE(race.rivalFallen());
    // As if it had been stopped between the two.
    TrainingState ahead = race.state();
    Race both = raceOf(racingRecipe(), RaceSwitch::NoNorm);
    go(both, 1);
    ahead.rival = both.state().rival;
    Result<Race> resumed = Race::create(ahead, findTask("repeat"));
    REQUIRE(resumed.ok());
    CHECK(resumed->step() == 0);
    go(*resumed, 1);
    CHECK(resumed->run().step() == 1);
    CHECK(resumed->rival()->step() == 1);
}

TEST_CASE("one that ends at a number that is none does not end the other") {
    // The same run, but that one of the two begins with a number that overflows.
    const auto broken = [](Model model) {
        const ParameterId id{0, ParameterKind::Query};
        Matrix query = *parameterOf(model.weights, id)->toMatrix();
        query(0, 0) = std::numeric_limits<float>::infinity();
        parameterOf(model.weights, id) = makeParameter(std::move(query));
        return model;
    };
    const auto finish = [](Race &race) {
        while (!race.isDone())
            REQUIRE(race.advance().ok());
        REQUIRE(race.measure().ok());
    };
    TrainingState state = beginning(racingRecipe(), RaceSwitch::NoScale);
    Rival rival = *state.rival;
    rival.state.model = broken(rival.state.model);
    TrainingState withBadRival = state;
    withBadRival.rival = std::make_shared<const Rival>(rival);
    Result<Race> race = Race::create(withBadRival, findTask("repeat"));
    REQUIRE(race.ok());
    finish(*race);
    CHECK_FALSE(race->fallen());
    REQUIRE(race->rivalFallen());
    CHECK(race->rival()->step() == 0);
    CHECK(race->run().isDone());
    CHECK(race->step() == 40);

    TrainingState withBadRun = state;
    withBadRun.model = broken(state.model);
    race = Race::create(withBadRun, findTask("repeat"));
    REQUIRE(race.ok());
    finish(*race);
    REQUIRE(race->fallen());
    CHECK_FALSE(race->rivalFallen());
    CHECK(race->run().step() == 0);
    CHECK(race->rival()->isDone());
    CHECK(race->step() == 40);

    withBadRun.rival = withBadRival.rival;
    race = Race::create(withBadRun, findTask("repeat"));
    REQUIRE(race.ok());
    CHECK_FALSE(race->advance().ok());
    CHECK(race->isDone());
}

TEST_CASE("without a mask the last answer is left out where it alone is not in the input") {
    const TaskInfo &task = findTask("sort")->info();
    CHECK_FALSE(peeks(task, {}));
    Architecture open{};
    open.masked = false;
    CHECK(peeks(task, open));
    CHECK_FALSE(peeks(findTask("sentiment")->info(), open));

    // a b → a b [EOS]
    const Example sorted{{1, 2, 9, 1, 2}, {}, {kLeftOut, kLeftOut, 1, 2, 10}};
    std::vector<Example> examples{sorted};
    leaveOutLast(examples);
    CHECK(examples[0].answers == std::vector<Index>{kLeftOut, kLeftOut, 1, 2, kLeftOut});
    // The answers of others are not the tokens after: there all stay. And a single one stays.
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

TEST_CASE("who sees the answers learns to copy them, and writes nonsense") {
    Recipe recipe = racingRecipe("sort");
    recipe.steps = 300;
    recipe.batch = 32;
    Race race = raceOf(recipe, RaceSwitch::NoMask);
    while (!race.isDone())
        REQUIRE(race.advance().ok());
    REQUIRE(race.measure().ok());
    const std::optional<RaceResult> result = resultOf(runOf(race.state()), race.run().model());
    REQUIRE(result);
    CHECK(result->step == 300);
    CHECK(result->rival.heldOut.loss < 0.05);
    CHECK(result->rival.heldOut.accuracy > 0.9);
    REQUIRE(result->rival.heldOut.written);
    CHECK(*result->rival.heldOut.written < 0.1);
    CHECK_FALSE(result->run.heldOut.written); // with a mask it is the accuracy
    CHECK(result->rival.halfLoss);
    CHECK_FALSE(result->rival.fallen);
}

TEST_CASE("what came out is said of the same step") {
    const Model model = *initialModel(findTask("sort")->info(), {}, 1);
    const double guessing = std::log(19.0); // letters, [PAD], the arrow and [EOS]
    TrainingRun run;
    CHECK_FALSE(resultOf(run, model));
    Rival rival;
    run.history = {racePoint(0, 3, HeldOut{3, 0}), racePoint(1, 1),
                   racePoint(2, 1, HeldOut{guessing / 2, 0.99}), racePoint(3, 2, HeldOut{0.1, 1})};
    rival.state.history = {racePoint(0, 4, HeldOut{4, 0.125})};
    run.rival = std::make_shared<const Rival>(rival);
    auto result = resultOf(run, model);
    REQUIRE(result);
    CHECK(result->step == 0);
    CHECK(result->guessing == doctest::Approx(guessing));
    CHECK(result->run.heldOut == HeldOut{3, 0});
    CHECK(result->rival.heldOut == HeldOut{4, 0.125});
    CHECK(result->rival.fallen == 1); // the other made three steps more
    CHECK(result->run.jaggedness.has_value());
    CHECK_FALSE(result->rival.jaggedness); // of one batch there is no jump
    CHECK_FALSE(result->run.fallen);

    rival.state.history.push_back(racePoint(1, 2));
    rival.state.history.push_back(racePoint(2, 4, HeldOut{2, 0.5}));
    run.rival = std::make_shared<const Rival>(rival);
    result = resultOf(run, model);
    CHECK(result->step == 2); // not 3, where the rival was not measured
    CHECK(result->run.heldOut.accuracy == 0.99);
    CHECK(result->run.halfLoss == 2);
    CHECK(result->run.learned == 2);
    CHECK_FALSE(result->rival.halfLoss);
    CHECK_FALSE(result->rival.learned);
    CHECK(result->run.jaggedness.value() == doctest::Approx((2 + 0 + 1) / 7.0));
    CHECK(result->rival.jaggedness.value() == doctest::Approx((2 + 2) / 10.0));
    CHECK_FALSE(result->rival.fallen); // one step may be the other's turn
}

TEST_CASE("the verdict is of the numbers") {
    const auto side = [](double loss, double accuracy, std::optional<Index> learned = {}) {
        RaceSide made;
        made.heldOut = {loss, accuracy};
        made.learned = learned;
        return made;
    };
    const auto verdict = [](const RaceSide &run, const RaceSide &rival, RaceSwitch turned) {
        return verdictOf({100, 3, run, rival}, turned);
    };
    using enum Verdict;
    using enum RaceSwitch;
    CHECK(verdict(side(0.1, 1, 40), side(0.1, 1, 60), NoScale) == AsClaimed);
    CHECK(verdict(side(0.1, 1, 40), side(0.1, 1, 40), NoScale) == NoClearDifference);
    CHECK(verdict(side(0.1, 1, 60), side(0.1, 1, 40), NoScale) == Contradicted);
    CHECK(verdict(side(0.1, 0.9), side(0.1, 1, 90), NoNorm) == Contradicted);
    CHECK(verdict(side(1, 0.5), side(1, 0.44), NoResidual) == AsClaimed);
    CHECK(verdict(side(1, 0.5), side(1, 0.47), NoResidual) == NoClearDifference);
    CHECK(verdict(side(1, 0), side(2, 0), NoPositions) == AsClaimed);
    CHECK(verdict(side(0.1, 1, 40), side(0.1, 1, 90), NoPositions) == Contradicted);
    CHECK(verdict(side(2, 0), side(1, 0), OneHead) == Contradicted);
    // Four heads are what should be better.
    CHECK(verdict(side(0.1, 1, 60), side(0.1, 1, 40), FourHeads) == AsClaimed);
    CHECK(verdict(side(0.1, 1, 40), side(0.1, 1, 60), FourHeads) == Contradicted);
    RaceSide fallen = side(0.1, 1, 10);
    fallen.fallen = 50;
    CHECK(verdict(side(2, 0), fallen, NoNorm) == AsClaimed);
    CHECK(verdict(fallen, side(2, 0), NoNorm) == Contradicted);
    RaceSide copying = side(0.01, 1);
    copying.heldOut.written = 0.05;
    CHECK(verdict(side(1, 0.5), copying, NoMask) == AsClaimed);
    copying.heldOut.loss = 0.1;
    CHECK(verdict(side(1, 0.5), copying, NoMask) == Contradicted);
    copying.heldOut.loss = 0.01;
    copying.heldOut.written = 0.5;
    CHECK(verdict(side(1, 0.5), copying, NoMask) == Contradicted);
    copying.heldOut.written.reset(); // not measured is not nonsense
    CHECK(verdict(side(1, 0.5), copying, NoMask) == NoClearDifference);
}
