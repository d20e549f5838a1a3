#include "core/training/recipe/recipe.h"

#include <doctest/doctest.h>

#include <limits>

using namespace headlight::core;

namespace {

Recipe usual() {
    Recipe recipe;
    recipe.task = "repeat";
    return recipe;
}

std::string whereOf(const Recipe &recipe) {
    const Outcome outcome = validate(recipe);
    return outcome ? "" : outcome.error().where;
}

} // namespace

TEST_CASE("the rate grows in equal parts, and falls to a tenth by half a cosine") {
    OptimizerSettings settings;
    settings.learningRate = 1;
    settings.warmUp = 4;
    CHECK(learningRateAt(settings, 0, 105) == doctest::Approx(0.25));
    CHECK(learningRateAt(settings, 3, 105) == doctest::Approx(1));
    CHECK(learningRateAt(settings, 4, 105) == doctest::Approx(1));
    CHECK(learningRateAt(settings, 54, 105) == doctest::Approx(0.55)); // halfway
    CHECK(learningRateAt(settings, 104, 105) == doctest::Approx(0.1)); // the last step
    CHECK(learningRateAt(settings, 500, 105) ==
          doctest::Approx(0.1)); // unchanged after the last step
    for (Index step = 5; step < 105; ++step)
        CHECK(learningRateAt(settings, step, 105) < learningRateAt(settings, step - 1, 105));
    settings.cosine = false;
    CHECK(learningRateAt(settings, 104, 105) == 1);
    settings.warmUp = 0;
    CHECK(learningRateAt(settings, 0, 105) == 1);
}

TEST_CASE("a run that is shorter than its warming up has a rate for every step") {
    OptimizerSettings settings;
    settings.warmUp = 50;
    for (Index step = 0; step < 60; ++step)
        CHECK(learningRateAt(settings, step, 10) > 0);
}

// tst_field_tables tries each field at its limits.
TEST_CASE("a recipe is valid within the limits of its fields, and if the heads share the width") {
    CHECK(validate(usual()).ok());
    const auto with = [](auto change) {
        Recipe recipe = usual();
        change(recipe);
        return whereOf(recipe);
    };
    using Limits = std::numeric_limits<float>;
    CHECK(with([](Recipe &r) { r.task.clear(); }) == "recipe.task");
    CHECK(with([](Recipe &r) { r.steps = 0; }) == "recipe.steps");
    CHECK(with([](Recipe &r) { r.seed = (std::uint64_t(1) << 53) + 1; }) == "recipe.seed");
    CHECK(with([](Recipe &r) { r.seed = std::uint64_t(1) << 53; }) == "");
    CHECK(with([](Recipe &r) { r.architecture.layers = 0; }) == "recipe.architecture.layers");
    CHECK(with([](Recipe &r) { r.architecture.heads = 3; }) == "recipe.architecture.heads");
    CHECK(with([](Recipe &r) { r.architecture.heads = 0; }) == "recipe.architecture.heads");
    for (const float rate : {0.0f, Limits::quiet_NaN(), Limits::infinity()})
        CHECK(with([rate](Recipe &r) { r.optimizer.learningRate = rate; }) ==
              "recipe.optimizer.learning_rate");
    CHECK(with([](Recipe &r) { r.optimizer.learningRate = 1000; }) == ""); // for experiments
}
