// The loss of a backward pass is that of the targets. tst_backward_meaning has the gradients.
#include "../transformer/random_transformers.h"
#include "core/explain/gradients/backward_pass.h"
#include "core/explain/line.h"
#include "tests/support/forward.h"

#include <cmath>

using namespace headlight::core;
using namespace headlight::core::test;
using headlight::test::forward;

TEST_CASE("a text asks for its own next words; the loss is the mean of their -ln p") {
    Random random(4);
    Model model;
    do
        model = randomTransformer(random);
    while (model.config.outputLayer.kind != OutputLayerKind::Language || model.hasCrossAttention());
    Input input{inputOf({"w1 w2 w3 w4", "w5 w6"}).batch};
    const auto trace = forward(model, input);
    REQUIRE(trace.ok());
    const std::vector<Target> asked = nextTokenTargetsOf(**trace);
    REQUIRE(asked.size() == 4); // three in the first sequence, one in the second
    CHECK(asked[0] == Target{0, 0, *model.vocabulary->idOf("w2")});
    CHECK(asked[3] == Target{1, 0, *model.vocabulary->idOf("w6")});
    const auto backwardPass = runBackward(*trace, asked);
    REQUIRE(backwardPass.ok());
    double loss = 0;
    const Tensor probabilities = (*trace)->stage(Stage::Probabilities);
    for (const Target &one : asked)
        loss -=
            std::log(static_cast<double>(probabilities.view(one.sequence)(one.row, one.answer)));
    CHECK((*backwardPass)->loss == doctest::Approx(loss / 4).epsilon(1e-5));
    const Tensor slopes = (*backwardPass)->gradient(Stage::Probabilities);
    CHECK(slopes.view(1)(0, asked[3].answer) ==
          doctest::Approx(-0.25f / probabilities.view(1)(0, asked[3].answer)));
    CHECK(slopes.view(1)(1, asked[3].answer) == 0); // the last token has no target
}

TEST_CASE("questions that cannot be asked are refused") {
    Random random(4);
    Model model;
    do
        model = randomTransformer(random);
    while (model.config.outputLayer.kind != OutputLayerKind::Language || model.hasCrossAttention());
    const TracePointer trace = *forward(model, Input{inputOf({"w1 w2"}).batch});
    CHECK(runBackward(trace, {}).error().where == "asked");
    CHECK(runBackward(trace, {{1, 0, 0}}).error().where == "asked[0].sequence");
    CHECK(runBackward(trace, {{0, 0, 0}, {0, 2, 0}}).error().where == "asked[1].row");
    CHECK(runBackward(trace, {{0, 0, -1}}).error().where == "asked[0].answer");
    model.config.outputLayer = {};
    model.config.logitCap = {};
    dropWithoutPlace(model.parameters, model.config);
    CHECK(
        runBackward(*forward(model, Input{inputOf({"w1 w2"}).batch}), {{0, 0, 0}}).error().where ==
        "model.head");
}

TEST_CASE("numbers of any size have four digits that count") {
    CHECK(digitsText(0) == "0");
    CHECK(digitsText(0.25) == "0.2500");
    CHECK(digitsText(-0.012345) == "−1.234·10⁻²");
    CHECK(digitsText(0.099996) == "1.000·10⁻¹");
    CHECK(digitsText(1.5e-10) == "1.500·10⁻¹⁰");
    CHECK(digitsText(-2e12) == "−2.000·10¹²");
}
