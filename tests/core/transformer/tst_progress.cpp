// Progress that a forward pass reports to other threads.
#include "core/transformer/run/progress.h"
#include "random_transformers.h"
#include "tests/support/forward.h"

#include <thread>

using namespace headlight::core;
using namespace headlight::core::test;
using headlight::test::forward;

namespace {

std::uint32_t layersOf(const Model &model) {
    const Index encoder = model.hasEncoder() ? model.layerCount(Stack::Encoder) : 0;
    return static_cast<std::uint32_t>(encoder + model.layerCount());
}

} // namespace

TEST_CASE("every step stands after as many layers as come before it in the plan") {
    int encoders = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        const Model model = randomTransformer(random);
        const Input input = randomTransformerInput(random, model);
        encoders += model.hasEncoder();
        std::uint32_t before = 0;
        const Plan plan = planOf(model, input);
        for (const Step &step : plan.steps()) {
            if (step.isAside)
                continue;
            const Progress::Layers layers = layersBefore(model, step.at);
            CHECK(layers.all == layersOf(model));
            CHECK(layers.computed <= layers.all);
            CHECK(layers.computed >= before);
            before = layers.computed;
            if (infoOf(step.at.stage).part == Part::OutputLayer)
                CHECK(layers.computed == layers.all);
        }
    }
    CHECK(encoders > 3);
}

TEST_CASE("another thread reads how far a pass is") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        const Model model = randomTransformer(random);
        const Input input = randomTransformerInput(random, model);
        Progress progress;
        CHECK(progress.layers() == Progress::Layers{});
        bool isSound = true;
        {
            const std::jthread reader([&](const std::stop_token &stop) {
                Progress::Layers before;
                while (!stop.stop_requested()) {
                    const Progress::Layers now = progress.layers();
                    isSound = isSound && now.computed >= before.computed &&
                              (now.all == layersOf(model) || now == Progress::Layers{});
                    before = now;
                }
            });
            const auto trace = forward(model, input, nullptr, {}, {}, &progress);
            const auto alone = forward(model, input);
            REQUIRE(trace.ok() == alone.ok());
        }
        CHECK(isSound);
        if (const auto again = forward(model, input, nullptr, {}, {}, &progress)) {
            CHECK(progress.layers().all == layersOf(model));
            CHECK(progress.layers().computed + 1 >= layersOf(model));
        }
    }
}
