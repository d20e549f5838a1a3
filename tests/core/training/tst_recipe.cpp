// Recipes, and their initial models.
#include "core/training/recipe/architecture.h"
#include "core/training/recipe/recipe.h"
#include "core/training/tasks/task.h"
#include "core/transformer/model/parameter_table.h"
#include "core/transformer/plan/computable.h"
#include "core_test.h"

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

TEST_CASE("a run that is shorter than its warm-up has a rate for every step") {
    OptimizerSettings settings;
    settings.warmUp = 50;
    for (Index step = 0; step < 60; ++step)
        CHECK(learningRateAt(settings, step, 10) > 0);
}

namespace {

double standardDeviationOf(const Parameter &parameter) {
    double sum = 0;
    for (Index row = 0; row < parameter->rows(); ++row)
        for (Index column = 0; column < parameter->columns(); ++column)
            sum += std::pow((*parameter)(row, column), 2.0);
    return std::sqrt(sum / static_cast<double>(parameter->rows() * parameter->columns()));
}

TaskInfo small(TargetPositions asks) {
    TaskInfo info;
    info.asks = asks;
    info.words = {"[PAD]", "a", "b"};
    info.length = 5;
    if (asks == TargetPositions::Class)
        info.classes = {"yes", "no"};
    if (asks == TargetPositions::Translation) {
        info.sourceWords = {"[PAD]", "one", "two", "three"};
        info.sourceLength = 4;
    }
    return info;
}

} // namespace

TEST_CASE("matrices have their deviations, gains are 1 and biases 0") {
    Architecture architecture;
    architecture.width = 64;
    architecture.feedForward = 256;
    TaskInfo info = small(TargetPositions::NextToken);
    info.length = 100;
    const Result<Model> model = initialModel(info, architecture, 5);
    REQUIRE(model.ok());
    const StackParameters &stack = model->parameters.main;
    CHECK(standardDeviationOf(stack.positions) == doctest::Approx(1 / 8.0).epsilon(0.03));
    for (const LayerParameters &layer : stack.layers) {
        CHECK(standardDeviationOf(layer.selfAttention.query) ==
              doctest::Approx(1 / 8.0).epsilon(0.03));
        // Four blocks add to the residual stream, so their output matrices start smaller by √4.
        CHECK(standardDeviationOf(layer.selfAttention.output) ==
              doctest::Approx(1 / 16.0).epsilon(0.03));
        CHECK(standardDeviationOf(layer.feedForward.hidden) ==
              doctest::Approx(1 / 8.0).epsilon(0.03));
        CHECK(standardDeviationOf(layer.feedForward.output) ==
              doctest::Approx(1 / 32.0).epsilon(0.03));
        CHECK(standardDeviationOf(layer.feedForward.hiddenBias) == 0);
        CHECK((*layer.selfAttention.norm.gain)(0, 63) == 1);
        CHECK((*layer.selfAttention.norm.bias)(0, 63) == 0);
        CHECK(!layer.selfAttention.queryBias);
        CHECK(!layer.crossAttention.query);
    }
    CHECK(!sameNumbers(stack.layers[0].selfAttention.query, stack.layers[1].selfAttention.query));
    CHECK(!sameNumbers(stack.layers[0].selfAttention.query, stack.layers[0].selfAttention.key));
}

TEST_CASE("the numbers depend on the seed, and not on other parts of the model") {
    const TaskInfo info = small(TargetPositions::NextToken);
    Architecture architecture;
    const Model one = *initialModel(info, architecture, 5);
    const Model same = *initialModel(info, architecture, 5);
    const Model other = *initialModel(info, architecture, 6);
    for (const ParameterId &id : allParameters(one.parameters)) {
        const Parameter &parameter = parameterOf(one.parameters, id);
        CHECK(sameNumbers(parameter, parameterOf(same.parameters, id)));
        if (parameter && infoOf(id.which).form == ParameterForm::Matrix)
            CHECK_FALSE(sameNumbers(parameter, parameterOf(other.parameters, id)));
    }
    architecture.positions = Positions::None;
    architecture.scaled = false;
    architecture.norm = NormKind::None;
    const Model changed = *initialModel(info, architecture, 5);
    CHECK(!changed.parameters.main.positions);
    CHECK(!changed.parameters.main.finalNorm.gain);
    CHECK(changed.config.scale.kind == Scale::Kind::Off);
    CHECK(sameNumbers(one.parameters.main.embeddings, changed.parameters.main.embeddings));
    CHECK(sameNumbers(one.parameters.main.layers[1].selfAttention.output,
                      changed.parameters.main.layers[1].selfAttention.output));
}

TEST_CASE("trained parameters are counted") {
    Architecture architecture;
    architecture.layers = 1;
    architecture.heads = 1;
    architecture.width = 4;
    architecture.feedForward = 8;
    const Model model = *initialModel(small(TargetPositions::NextToken), architecture, 1);
    const Index attention = 4 * 4 * 4 + 8, feedForward = 4 * 8 + 8 + 8 * 4 + 4 + 8;
    const Index ends = 3 * 4 + 5 * 4 + 8 + 4 * 3; // words, positions, final norm, output layer
    CHECK(parameterCount(model) == attention + feedForward + ends);
}

TEST_CASE("an encoder reads the source's words, and the decoder attends to it") {
    const Model model = *initialModel(small(TargetPositions::Translation), {}, 1);
    REQUIRE(model.hasEncoder());
    CHECK(model.parameters.encoder.embeddings->rows() == 4);
    CHECK(model.parameters.main.embeddings->rows() == 3);
    CHECK(model.parameters.encoder.positions->rows() == 4);
    CHECK(model.parameters.main.positions->rows() == 5);
    CHECK(model.parameters.main.layers[0].crossAttention.query);
    CHECK(!model.parameters.encoder.layers[0].crossAttention.query);
    const Input masks = masksOf(small(TargetPositions::Translation), {});
    CHECK(masks.masks == MaskLayers{CausalMask{}, PaddingMask{}});
    CHECK(masks.encoderMasks == MaskLayers{PaddingMask{}});
    CHECK(masks.crossMasks == MaskLayers{PaddingMask{}});
}

TEST_CASE("next-token tasks have a causal mask, unless the mask is ablated") {
    Architecture architecture;
    CHECK(masksOf(small(TargetPositions::NextToken), architecture).masks ==
          MaskLayers{CausalMask{}, PaddingMask{}});
    CHECK(masksOf(small(TargetPositions::Class), architecture).masks == MaskLayers{PaddingMask{}});
    CHECK(masksOf(small(TargetPositions::MaskedToken), architecture).masks ==
          MaskLayers{PaddingMask{}});
    architecture.masked = false;
    CHECK(masksOf(small(TargetPositions::NextToken), architecture).masks ==
          MaskLayers{PaddingMask{}});
}

TEST_CASE("impossible sizes are refused before a number is drawn") {
    Architecture architecture;
    architecture.heads = 3;
    CHECK(initialModel(small(TargetPositions::NextToken), architecture, 1).error().where ==
          "recipe.architecture.heads");
    architecture.heads = 1;
    architecture.width = kMaxWidth;
    architecture.layers = kMaxLayers;
    architecture.feedForward = kMaxFeedForwardWidth;
    CHECK(initialModel(small(TargetPositions::NextToken), architecture, 1).error().where ==
          "recipe.architecture.width");
}
