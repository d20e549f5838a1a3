// Gradients of aliases and of the outputs of heads, errors, and memory. tst_backward_slopes and
// tst_transformer_gradients compare the values of all gradients.
#include "core/formats/capture/capture_trace.h"
#include "core/transformer/model/parameter_id.h"
#include "core_test.h"
#include "loss.h"
#include "random_transformers.h"

namespace {

/// Returns a loss that equals one number of a stage.
Seed oneOf(const Trace &trace, const std::string &stage, std::size_t place = 0, float slope = 1) {
    const Shape shape = trace.stage(stage).shape();
    std::vector<float> values(static_cast<std::size_t>(shape.count()));
    values[place] = slope;
    return {stage, Tensor(shape, std::move(values))};
}

void checkClose(const Tensor &actual, const Tensor &expected) {
    REQUIRE_FALSE(actual.isNull());
    REQUIRE(actual.shape() == expected.shape());
    for (std::size_t i = 0; i < expected.values().size(); ++i)
        CHECK(actual.values()[i] == doctest::Approx(expected.values()[i]).epsilon(1e-4));
}

std::string errorOf(const Trace &trace, const std::vector<Seed> &seeds) {
    const auto gradients = backward(trace, seeds, false);
    REQUIRE_FALSE(gradients.ok());
    return gradients.error().text();
}

/// Returns the rows of one head of the first sequence in a stage [B, H, T, …].
std::span<const float> headOf(const Tensor &tensor, Index head) {
    const MatrixView matrix = tensor.view(0, head);
    return {matrix.data, static_cast<std::size_t>(matrix.rows * matrix.columns)};
}

Model languageModel() {
    Model model = smallModel(2);
    model.config.residual = true;
    model.config.outputLayer.kind = OutputLayerKind::Language;
    model.embeddings = nullptr;
    model.vocabulary = *Vocabulary::create({"[PAD]", "cat", "sat", "mat"});
    Random random(5);
    model.parameters.main.embeddings = randomMatrix(random, 4, 4);
    return model;
}

} // namespace

TEST_CASE("all names of one tensor share one gradient, with all their seeds") {
    const TracePointer trace = traceOf(smallModel(2), inputOf({"a b c"}));
    Random random(1);
    const Seed above = randomSeed(random, *trace, "layers.0.output");
    const Seed beneath = randomSeed(random, *trace, "layers.1.input");
    const GradientsPointer both = gradientsOf(*trace, {{above, beneath}});
    Tensor sum = above.gradient;
    std::vector<float> values = sum.values();
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] += beneath.gradient.values()[i];
    checkClose(both->stage("layers.0.output"), Tensor(sum.shape(), std::move(values)));
    for (const char *name :
         {"layers.1.input", "layers.0.self_attention.output", "layers.0.output"}) {
        CAPTURE(name);
        CHECK(both->stage(name).identity() == both->stage("layers.0.output").identity());
    }
    CHECK(both->stage("positioned").identity() == both->stage("embeddings").identity());
    CHECK(both->stage("layers.0.input").identity() == both->stage("embeddings").identity());
    // Stages that the loss does not depend on have no gradient.
    CHECK(both->stage("layers.1.output").isNull());
    CHECK(both->stage("layers.1.self_attention.query").isNull());
    CHECK(both->stage("no such stage").isNull());
}

TEST_CASE("what a loss does not depend on has no gradient") {
    const TracePointer trace = traceOf(languageModel(), inputOf({"cat sat mat"}));
    Random random(2);
    const GradientsPointer gradients =
        gradientsOf(*trace, {{randomSeed(random, *trace, "layers.0.self_attention.weights")}});
    CHECK(gradients->stage("layers.0.self_attention.value").isNull());
    CHECK_FALSE(gradients->stage("layers.0.self_attention.query").isNull());
    CHECK(gradients->stage("layers.1.input").isNull());
}

TEST_CASE("the outputs of heads: the output's gradient, and their own seeds") {
    const TracePointer trace = traceOf(smallModel(), inputOf({"a b c"}));
    const std::string heads = "layers.0.self_attention.head_outputs";
    Random random(9);
    const Seed output = randomSeed(random, *trace, "layers.0.self_attention.output");
    const GradientsPointer plain = gradientsOf(*trace, {{output}});
    const Tensor spread = plain->stage(heads);
    REQUIRE(spread.shape() == trace->stage(heads).shape());
    for (Index head = 0; head < 2; ++head)
        CHECK(std::ranges::equal(headOf(spread, head), output.gradient.values()));
    // The same loss, set through the outputs of the heads.
    const GradientsPointer byHead = gradientsOf(*trace, {{{heads, spread}}});
    checkClose(byHead->stage(heads), spread);
    checkClose(byHead->stage("embeddings"), plain->stage("embeddings"));
    for (std::size_t i = 0; i < 16; ++i)
        CHECK(byHead->parameters.main.layers[0].selfAttention.output->toMatrix()->values()[i] ==
              doctest::Approx(
                  plain->parameters.main.layers[0].selfAttention.output->toMatrix()->values()[i])
                  .epsilon(1e-4));
}

TEST_CASE("gradients of stages are kept only on request") {
    const TracePointer trace = traceOf(languageModel(), inputOf({"cat sat"}));
    const Loss loss{{oneOf(*trace, "logits")}};
    const GradientsPointer kept = gradientsOf(*trace, loss, true);
    const GradientsPointer left = gradientsOf(*trace, loss, false);
    CHECK(left->stageNames().empty());
    CHECK(left->stage("logits").isNull());
    CHECK(left->stage("layers.0.self_attention.head_outputs").isNull());
    CHECK_FALSE(kept->stageNames().empty());
    for (const ParameterId &id : allParameters(trace->model().parameters))
        CHECK(sameNumbers(parameterOf(left->parameters, id), parameterOf(kept->parameters, id)));
}

TEST_CASE("backward passes that are impossible give a reason") {
    const TracePointer trace = traceOf(languageModel(), inputOf({"cat sat"}));
    CHECK(errorOf(*trace, {oneOf(*trace, "logits"), {"final_norm", Tensor({1}, {1})}}) ==
          "seeds[1].stage: the model has no stage \"final_norm\"; use a name that its trace has");
    CHECK(errorOf(*trace, {{"logits", Tensor({1, 2, 3}, std::vector<float>(6))}}) ==
          "seeds[0].gradient: the gradient is 1 × 2 × 3, the stage 1 × 2 × 4; give one value for "
          "each value of the stage");
    CHECK(errorOf(*trace, {{"logits", {}}}).starts_with("seeds[0].gradient: "));
    const float huge = std::numeric_limits<float>::max();
    CHECK(errorOf(*trace, {oneOf(*trace, "logits", 0, huge), oneOf(*trace, "logits", 0, huge)}) ==
          "logits: the gradients overflow 32-bit floats; use smaller weights, or a smaller "
          "gradient to start from");
    const float nan = std::numeric_limits<float>::quiet_NaN();
    CHECK(errorOf(*trace, {oneOf(*trace, "layers.1.input", 0, nan)})
              .starts_with("layers.0.self_attention.residual: "));

    Capture capture;
    capture.tokens = {{"a", "b"}};
    capture.stages = {
        {"layers.0.self_attention.weights", Tensor({1, 1, 2, 2}, {1, 0, 0.5f, 0.5f})}};
    const auto captured = valueOf(traceOf(capture));
    CHECK(errorOf(*captured, {oneOf(*captured, "layers.0.self_attention.weights")}) ==
          "trace: it is a capture without the model's parameters; open the model itself");
}

TEST_CASE("a backward pass can be stopped") {
    const TracePointer trace = traceOf(languageModel(), inputOf({"cat sat"}));
    std::stop_source stop;
    stop.request_stop();
    const auto gradients = backward(*trace, {oneOf(*trace, "logits")}, true, stop.get_token());
    REQUIRE_FALSE(gradients.ok());
    CHECK(gradients.error().what == "cancelled");
}
