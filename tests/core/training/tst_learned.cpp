// Every task is learned by its recipe, so that complete held-out sequences are predicted exactly.
// One seed per task by default, three with script/test --long. The tales take minutes, so they run
// only with --long, with one seed. tst_tales_model measures the model in resources/models.
#include "core/training/run/trainer.h"
#include "core_test.h"
#include "task_texts.h"
#include "tests/support/long.h"

namespace {

std::vector<std::uint64_t> seeds() {
    return headlight::test::isLong() ? std::vector<std::uint64_t>{1, 2, 3}
                                     : std::vector<std::uint64_t>{1};
}

double learned(const TaskPointer &task, Recipe recipe, std::uint64_t seed) {
    recipe.seed = seed;
    Result<Trainer> trainer = Trainer::create(recipe, task);
    REQUIRE(trainer.ok());
    while (!trainer->isDone()) {
        const Outcome step = trainer->advance();
        REQUIRE_MESSAGE(step.ok(), (step ? "" : step.error().text()));
    }
    const Result<HeldOut> heldOut = trainer->measure();
    REQUIRE(heldOut.ok());
    return heldOut->accuracy;
}

} // namespace

TEST_CASE("every task is learned by its recipe") {
    for (const TaskPointer &task : allTasks())
        for (const std::uint64_t seed : seeds()) {
            const bool isTales = task->info().id == "tales";
            if (isTales && (seed > 1 || !headlight::test::isLong()))
                continue;
            CAPTURE(task->info().id);
            CAPTURE(seed);
            const double least = isTales ? 0.95 : task->info().id == "number-words" ? 0.98 : 0.99;
            CHECK(learned(task, task->info().recipe, seed) >= least);
        }
}

TEST_CASE("one layer cannot repeat a sequence, by positions or otherwise") {
    const TaskPointer task = findTask("repeat");
    Recipe recipe = task->info().recipe;
    recipe.architecture.layers = 1;
    for (const std::uint64_t seed : seeds())
        CHECK(learned(task, recipe, seed) < 0.5);
    recipe.architecture.positions = Positions::Learned;
    CHECK(learned(task, recipe, 1) < 0.5);
    recipe.architecture.heads = 4;
    recipe.architecture.feedForward = 128;
    CHECK(learned(task, recipe, 1) < 0.5);
}
