// A recorded run. Its snapshots equal those of the trainer, its heads are found, and its replay
// follows its curves. A forward pass can show any of its steps.
#include "core/training/run/held_out_examples.h"
#include "core/training/run/run_moment.h"
#include "core/training/run/trainer.h"
#include "core_test.h"

#include <numeric>

namespace {

RecordedRunPointer recorded(const char *id) {
    static std::map<std::string, RecordedRunPointer> made;
    RecordedRunPointer &run = made[id];
    if (!run) {
        const TaskPointer task = findTask(id);
        const auto result = recordRun(task->info().recipe, task);
        REQUIRE(result.ok());
        run = *result;
    }
    return run;
}

double sumOf(std::span<const float> row) {
    return std::accumulate(row.begin(), row.end(), 0.0);
}

/// Returns the mean share of a row's weight that the two patterns put on different keys.
double movedShare(const SharedMatrix &a, const SharedMatrix &b) {
    REQUIRE((a.rows == b.rows && a.columns == b.columns));
    double moved = 0;
    for (Index row = 0; row < a.rows; ++row)
        for (Index column = 0; column < a.columns; ++column)
            moved += std::max(0.0, static_cast<double>(a(row, column)) -
                                       static_cast<double>(b(row, column)));
    return moved / static_cast<double>(a.rows);
}

/// Checks that the pictures of a question differ, and that only the formed head's is right.
void checkChoices(const RecordedRun &run, std::size_t head, const Example &example,
                  const std::vector<PatternChoice> &choices) {
    std::vector<SharedMatrix> pictures;
    Index right = 0;
    for (const PatternChoice &choice : choices) {
        REQUIRE(choice.snapshot < run.snapshots.size());
        const auto moment = momentOf(run, choice.snapshot, example);
        REQUIRE(moment.ok());
        pictures.push_back(
            moment->trace->matrix(Stage::AttentionWeights, choice.attention, 0, choice.head));
        right += choice.isRight ? 1 : 0;
        if (choice.isRight) {
            CHECK(choice.attention == run.heads[head].attention);
            CHECK(choice.head == run.heads[head].head);
            CHECK(choice.snapshot == run.snapshots.size() - 1);
        }
    }
    CHECK(right == 1);
    for (std::size_t i = 0; i < pictures.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            CHECK(movedShare(pictures[i], pictures[j]) > 0.1);
}

bool isSameChoice(const PatternChoice &a, const PatternChoice &b) {
    return a.attention == b.attention && a.head == b.head && a.snapshot == b.snapshot &&
           a.isRight == b.isRight;
}

} // namespace

TEST_CASE("where half of a measure is reached") {
    const auto half = [](std::vector<double> measures) { return halfReached(measures); };
    CHECK(half({0, 0.2, 0.6, 0.9, 1}) == 2);
    CHECK(half({0, 0.6, 0.2, 0.9, 1}) == 3); // stays above half from index 3
    CHECK(half({0.6, 0.7, 1}) == std::nullopt);
    CHECK(half({0, 0, 1}) == 2);
}

TEST_CASE("a replay slows down where something changes") {
    const std::vector<Index> steps{0, 10, 20, 30, 40};
    const std::vector<double> still = paceOf(steps, {{1, 1, 1, 1, 1}});
    for (std::size_t i = 0; i < still.size(); ++i)
        CHECK(still[i] == doctest::Approx(0.25 * double(i)));
    const std::vector<double> jump = paceOf(steps, {{3, 3, 1, 1, 1}, {0, 0, 0.8, 0.7, 0.8}});
    CHECK(jump.front() == 0);
    CHECK(jump.back() == 1);
    CHECK(std::ranges::is_sorted(jump));
    CHECK(jump[2] - jump[1] > 0.75);
    // The replay takes time only for new best values of a curve, not for noise.
    const std::vector<double> noisy = paceOf(steps, {{3, 1, 2, 0.5, 0.5}});
    CHECK(noisy[2] - noisy[1] == doctest::Approx(noisy[4] - noisy[3]));
    CHECK(noisy[1] > noisy[3] - noisy[2]);
}

TEST_CASE("snapshots are the trainer's own models, bit for bit") {
    const RecordedRunPointer run = recorded("previous-token");
    auto trainer = Trainer::create(run->end.recipe, run->task);
    REQUIRE(trainer.ok());
    std::size_t compared = 0;
    for (const RunSnapshot &snapshot : run->snapshots) {
        if (snapshot.step > 100)
            break;
        while (trainer->step() < snapshot.step)
            REQUIRE(trainer->advance().ok());
        const Model model = trainer->model();
        for (const ParameterId &id : allParameters(model.parameters)) {
            const Parameter &now = parameterOf(model.parameters, id);
            const Parameter &then = parameterOf(snapshot.weights, id);
            REQUIRE(!now == !then);
            if (!now)
                continue; // this model has no such parameter
            for (Index row = 0; row < now->rows(); ++row)
                for (Index column = 0; column < now->columns(); ++column)
                    REQUIRE((*then)(row, column) == (*now)(row, column));
        }
        ++compared;
    }
    CHECK(compared > 20);
    CHECK(run->snapshots.front().step == 0);
    CHECK(run->snapshots.back().step == run->end.recipe.steps);
    CHECK(run->end.step == run->end.recipe.steps);
}

TEST_CASE("the heads are found, and they form") {
    const RecordedRunPointer run = recorded("repeat");
    REQUIRE(run->heads.size() == 2);
    CHECK(run->heads[0].attention.layer == 0);
    CHECK(run->heads[1].attention.layer == 1);
    for (const FormedHead &head : run->heads) {
        CHECK(head.measures.size() == run->snapshots.size());
        CHECK(head.measures.front() < 0.3);
        CHECK(head.measures.back() > 0.6);
        CHECK(head.measures[head.formed] >= head.measures.back() / 2);
        CHECK(head.measures[head.formed - 1] < head.measures.back() / 2);
        CHECK(std::ranges::count(head.alike, head.head) == 1);
        // No other head of the layer has a larger measure.
        const auto all = targetMeasures(
            run->end.model, masksOf(run->task->info(), run->end.recipe.architecture),
            head.attention, *run->task, head.purpose.keys, heldOutOf(*run->task, 12));
        REQUIRE(all.ok());
        CHECK(std::ranges::max(*all) == (*all)[static_cast<std::size_t>(head.head)]);
        CHECK(std::ranges::max(*all) == doctest::Approx(head.measures.back()));
    }
    // A uniform guess among 26 letters has this loss.
    CHECK(run->guessLoss == doctest::Approx(std::log(26)).epsilon(0.01));
    CHECK(run->snapshots.front().heldOut.loss > 3);
    CHECK(run->snapshots.back().heldOut.loss < 0.1);
}

TEST_CASE("no head is claimed for a run that learns nothing") {
    const TaskPointer task = findTask("repeat");
    Recipe recipe = task->info().recipe;
    recipe.steps = 8;
    const auto run = recordRun(recipe, task);
    REQUIRE(run.ok());
    CHECK((*run)->heads.empty());
    CHECK((*run)->snapshots.size() == 9);
    recipe = task->info().recipe;
    recipe.architecture.layers = 1;
    recipe.steps = 20;
    CHECK(recordRun(recipe, task).ok()); // no layer suits the second purpose
}

TEST_CASE("the same recipe gives the same recording") {
    const RecordedRunPointer run = recorded("previous-token");
    const auto again = recordRun(run->end.recipe, run->task);
    REQUIRE(again.ok());
    REQUIRE((*again)->snapshots.size() == run->snapshots.size());
    for (std::size_t i = 0; i < run->snapshots.size(); ++i)
        CHECK((*again)->snapshots[i].heldOut == run->snapshots[i].heldOut);
    CHECK((*again)->heads.front().measures == run->heads.front().measures);
    CHECK((*again)->pace == run->pace);
}

TEST_CASE("what can be recorded, and stopping") {
    CHECK_FALSE(recordRun(findTask("tales")->info().recipe, findTask("tales")).ok());
    CHECK_FALSE(recordRun({}, nullptr).ok());
    std::stop_source source;
    Index steps = 0;
    const TaskPointer task = findTask("repeat");
    const auto stopped = recordRun(task->info().recipe, task, source.get_token(), [&](Index made) {
        steps = made;
        if (made == 20)
            source.request_stop();
    });
    CHECK_FALSE(stopped.ok());
    CHECK(steps == 20);
}

TEST_CASE("snapshots by time, by step, and spread over a replay") {
    const RecordedRunPointer run = recorded("previous-token");
    const std::size_t last = run->snapshots.size() - 1;
    CHECK(run->snapshotAtShare(0) == 0);
    CHECK(run->snapshotAtShare(1) == last);
    CHECK(run->snapshotAtShare(2) == last);
    CHECK(run->snapshotAtShare(-1) == 0);
    for (std::size_t i = 1; i < last; ++i)
        if (run->pace[i] < run->pace[i + 1])
            CHECK(run->snapshotAtShare(run->pace[i]) == i);
    CHECK(run->snapshotAtStep(-5) == 0);
    CHECK(run->snapshotAtStep(1e9) == last);
    CHECK(run->snapshotAtStep(static_cast<double>(run->snapshots[7].step) + 0.1) == 7);
    const std::vector<std::size_t> six = run->spread(last, 6);
    REQUIRE(six.size() == 6);
    CHECK(six.front() == 0);
    CHECK(six.back() == last);
    CHECK(std::ranges::is_sorted(six));
    CHECK(run->spread(0, 4) == std::vector<std::size_t>{0});
    CHECK(run->spread(2, 4).back() == 2);
}

TEST_CASE(
    "a snapshot gives a forward pass: answers become right, and wrong if heads are silenced") {
    for (const char *id : {"repeat", "which-bank", "previous-token"}) {
        CAPTURE(id);
        const RecordedRunPointer run = recorded(id);
        const std::size_t last = run->snapshots.size() - 1;
        const std::vector<Example> &examples = run->examples;
        REQUIRE(examples.size() > 3);
        const auto moment = momentOf(*run, last, examples.front());
        REQUIRE(moment.ok());
        bool isAsked = false;
        for (const GivenAnswer &answer : moment->answers) {
            CHECK(answer.probability > 0);
            CHECK(answer.probability <= 1);
            isAsked |= answer.isAsked();
            if (answer.isAsked())
                CHECK(answer.isRight());
        }
        CHECK(isAsked);
        const SharedMatrix weights = moment->trace->matrix(
            Stage::AttentionWeights, run->heads[0].attention, 0, run->heads[0].head);
        for (Index row = 0; row < weights.rows; ++row)
            CHECK(sumOf(weights.view().row(row)) == doctest::Approx(1));
        const auto full = rightShareOf(*run, last, {}, 32);
        const auto early = rightShareOf(*run, 0, {}, 32);
        const auto silenced = rightShareOf(*run, last, run->heads.back().silenced(), 32);
        REQUIRE((full.ok() && early.ok() && silenced.ok()));
        CHECK(*full > 0.95);
        CHECK(*early < 0.7);
        CHECK(*silenced < *full - 0.3);
    }
}

TEST_CASE("the examples are held out, and the clearest ones come first") {
    const RecordedRunPointer run = recorded("it");
    const auto heldOut = heldOutOf(*run->task);
    const Input masks = masksOf(run->task->info(), run->end.recipe.architecture);
    REQUIRE(run->examples.size() > 5);
    for (const Example &example : run->examples)
        CHECK(std::ranges::count(heldOut, example) > 0);
    for (const FormedHead &head : run->heads) {
        const auto first = targetMeasures(run->end.model, masks, head.attention, *run->task,
                                          head.purpose.keys, std::span(run->examples).first(1));
        REQUIRE(first.ok());
        // The picture shows the measure that its title states.
        CHECK((*first)[static_cast<std::size_t>(head.head)] >= head.measures.back());
    }
}

TEST_CASE("every built-in task asks with three real pictures that differ, one of them right") {
    for (const WatchableTask &task : watchableTasks()) {
        const RecordedRunPointer run = recorded(std::string(task.id).c_str());
        REQUIRE_FALSE(run->heads.empty());
        for (std::size_t head = 0; head < run->heads.size(); ++head)
            for (std::size_t shown = 0; shown < std::min<std::size_t>(3, run->examples.size());
                 ++shown) {
                CAPTURE(run->end.recipe.task);
                CAPTURE(head);
                CAPTURE(shown);
                const Example &example = run->examples[shown];
                const auto choices = patternChoices(*run, head, example);
                REQUIRE(choices.ok());
                CHECK(choices->size() == 3);
                checkChoices(*run, head, example, *choices);
                const auto again = patternChoices(*run, head, example);
                REQUIRE(again.ok());
                CHECK(std::ranges::equal(*choices, *again, isSameChoice));
            }
    }
}

TEST_CASE("fewer pictures remain if a run has no three different ones") {
    const RecordedRunPointer run = recorded("previous-token"); // a single head
    RecordedRun ends = *run;                                   // the start and the end
    ends.snapshots = {run->snapshots.front(), run->snapshots.back()};
    ends.pace = {0, 1};
    const auto two = patternChoices(ends, 0, run->examples.front());
    REQUIRE(two.ok());
    CHECK(two->size() == 2);
    checkChoices(ends, 0, run->examples.front(), *two);
    ends.snapshots.front() = ends.snapshots.back();
    const auto one = patternChoices(ends, 0, run->examples.front());
    REQUIRE(one.ok());
    CHECK(one->size() == 1);
    CHECK(one->front().isRight);
}
