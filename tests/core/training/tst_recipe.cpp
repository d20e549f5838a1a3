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

TEST_CASE("the usual recipe is valid, and each field out of its range is named") {
    CHECK(validate(usual()).ok());
    const auto with = [](auto change) {
        Recipe recipe = usual();
        change(recipe);
        return whereOf(recipe);
    };
    CHECK(with([](Recipe &r) { r.task.clear(); }) == "recipe.task");
    CHECK(with([](Recipe &r) { r.architecture.layers = 0; }) == "recipe.layers");
    CHECK(with([](Recipe &r) { r.architecture.layers = kMaximumLayers + 1; }) == "recipe.layers");
    CHECK(with([](Recipe &r) { r.architecture.width = 0; }) == "recipe.width");
    CHECK(with([](Recipe &r) { r.architecture.heads = 3; }) == "recipe.heads");
    CHECK(with([](Recipe &r) { r.architecture.feedForward = -1; }) == "recipe.feed_forward");
    CHECK(with([](Recipe &r) { r.architecture.feedForward = 0; }) == "");
    CHECK(with([](Recipe &r) { r.batch = 0; }) == "recipe.batch");
    CHECK(with([](Recipe &r) { r.batch = kMaximumBatch + 1; }) == "recipe.batch");
    CHECK(with([](Recipe &r) { r.steps = 0; }) == "recipe.steps");
    CHECK(with([](Recipe &r) { r.seed = (std::uint64_t(1) << 53) + 1; }) == "recipe.seed");
    CHECK(with([](Recipe &r) { r.seed = std::uint64_t(1) << 53; }) == "");
    CHECK(with([](Recipe &r) { r.optimizer.learningRate = 0; }) == "recipe.learning_rate");
    CHECK(with([](Recipe &r) { r.optimizer.learningRate = 1000; }) ==
          ""); // allowed for experiments
    CHECK(with([](Recipe &r) {
              r.optimizer.learningRate = std::numeric_limits<float>::quiet_NaN();
          }) == "recipe.learning_rate");
    CHECK(with([](Recipe &r) { r.optimizer.beta1 = 1; }) == "recipe.beta1");
    CHECK(with([](Recipe &r) { r.optimizer.beta2 = -0.1f; }) == "recipe.beta2");
    CHECK(with([](Recipe &r) { r.optimizer.epsilon = 0; }) == "recipe.epsilon");
    CHECK(with([](Recipe &r) { r.optimizer.momentum = 1; }) == "recipe.momentum");
    CHECK(with([](Recipe &r) { r.optimizer.weightDecay = -1; }) == "recipe.weight_decay");
    CHECK(with([](Recipe &r) { r.optimizer.clip = -1; }) == "recipe.clip");
    CHECK(with([](Recipe &r) { r.optimizer.clip = 0; }) == "");
    CHECK(with([](Recipe &r) { r.optimizer.warmUp = -1; }) == "recipe.warm_up");
}
