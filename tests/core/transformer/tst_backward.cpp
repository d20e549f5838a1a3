// Gradients of aliases, mechanism switches, tied and shared parameters; errors and memory.
#include "core/formats/capture/capture_trace.h"
#include "core/transformer/model/parameter_id.h"
#include "loss.h"
#include "random_transformers.h"
#include "tests/support/forward.h"

#include <algorithm>

using namespace headlight::core;
using namespace headlight::core::test;
using headlight::test::forward;

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

float sizeOf(std::span<const float> values) {
    float size = 0;
    for (const float value : values)
        size = std::max(size, std::abs(value));
    return size;
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

TEST_CASE("the names of one tensor have one gradient, with all their seeds") {
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
    // Stages after the loss have no gradient.
    CHECK(both->stage("layers.1.output").isNull());
    CHECK(both->stage("layers.1.self_attention.query").isNull());
    CHECK(both->stage("no such stage").isNull());
}

TEST_CASE("a loss of several stages is the sum of its parts") {
    const TracePointer trace = traceOf(languageModel(), inputOf({"cat sat mat"}));
    Random random(2);
    const Seed logits = randomSeed(random, *trace, "logits");
    const Seed weights = randomSeed(random, *trace, "layers.0.self_attention.weights");
    const GradientsPointer both = gradientsOf(*trace, {{logits, weights}});
    const GradientsPointer one = gradientsOf(*trace, {{logits}});
    const GradientsPointer other = gradientsOf(*trace, {{weights}});
    for (const ParameterId &id : allParameters(trace->model().parameters)) {
        CAPTURE(nameOf(id));
        const Parameter &sum = parameterOf(both->parameters, id);
        if (!sum)
            continue;
        const Matrix first = *parameterOf(one->parameters, id)->toMatrix();
        const Matrix second = *parameterOf(other->parameters, id)->toMatrix();
        for (Index row = 0; row < sum->rows(); ++row)
            for (Index column = 0; column < sum->columns(); ++column)
                CHECK((*sum)(row, column) ==
                      doctest::Approx(first(row, column) + second(row, column)).epsilon(1e-4));
    }
    // The attention weights depend on the queries, but not on the values.
    CHECK(other->stage("layers.0.self_attention.value").isNull());
    CHECK_FALSE(other->stage("layers.0.self_attention.query").isNull());
    CHECK(other->stage("layers.1.input").isNull());
}

TEST_CASE("a tied matrix owns what flows through both of its uses") {
    Model tied = languageModel(), untied = tied;
    const ParameterMatrix &embeddings = *tied.parameters.main.embeddings;
    Matrix transposed(embeddings.columns(), embeddings.rows());
    for (Index row = 0; row < embeddings.rows(); ++row)
        for (Index column = 0; column < embeddings.columns(); ++column)
            transposed(column, row) = embeddings(row, column);
    untied.parameters.outputLayer.output = makeParameter(transposed);
    const Input input = inputOf({"cat sat cat"});
    Random random(3);
    const TracePointer trace = traceOf(tied, input);
    const Loss loss{{randomSeed(random, *trace, "logits")}};
    const ModelParameters sum = gradientsOf(*trace, loss)->parameters;
    const GradientsPointer apart = gradientsOf(*traceOf(untied, input), loss);
    CHECK_FALSE(sum.outputLayer.output);
    for (Index row = 0; row < embeddings.rows(); ++row)
        for (Index column = 0; column < embeddings.columns(); ++column)
            CHECK((*sum.main.embeddings)(row, column) ==
                  doctest::Approx((*apart->parameters.main.embeddings)(row, column) +
                                  (*apart->parameters.outputLayer.output)(column, row))
                      .epsilon(1e-4));
    // "mat" is not an input token, but a possible output.
    CHECK(sizeOf(apart->parameters.main.embeddings->toMatrix()->view().row(3)) == 0);
    CHECK(sizeOf(sum.main.embeddings->toMatrix()->view().row(3)) > 0);
}

TEST_CASE("layers that share their weights share the gradient") {
    Model shared = smallModel(1), apart = shared;
    shared.config.layerCount = 2;
    apart.parameters.main.layers.push_back(apart.parameters.main.layers[0]);
    const Input input = inputOf({"a b c"});
    const TracePointer trace = traceOf(shared, input);
    Random random(4);
    const Loss loss{{randomSeed(random, *trace, "layers.1.output")}};
    const ModelParameters sum = gradientsOf(*trace, loss)->parameters;
    const ModelParameters parts = gradientsOf(*traceOf(apart, input), loss)->parameters;
    REQUIRE(sum.main.layers.size() == 1);
    for (std::size_t i = 0; i < 16; ++i)
        CHECK(sum.main.layers[0].selfAttention.value->toMatrix()->values()[i] ==
              doctest::Approx(parts.main.layers[0].selfAttention.value->toMatrix()->values()[i] +
                              parts.main.layers[1].selfAttention.value->toMatrix()->values()[i])
                  .epsilon(1e-4));
}

TEST_CASE("silenced heads pass back what they let through") {
    for (const HeadState state :
         {HeadState::On, HeadState::Zero, HeadState::Mean, HeadState::Uniform}) {
        CAPTURE(static_cast<int>(state));
        Input input = inputOf({"a b c"});
        input.interventions.setHead(AttentionId(0), 1, state);
        const TracePointer trace = traceOf(smallModel(), input);
        Random random(6);
        const GradientsPointer gradients =
            gradientsOf(*trace, {{randomSeed(random, *trace, "layers.0.output")}});
        const auto of = [&](const char *stage, Index head) {
            return headOf(gradients->stage(std::string("layers.0.self_attention.") + stage), head);
        };
        for (const char *stage : {"query", "key", "value", "scores"})
            CHECK(sizeOf(of(stage, 0)) > 0);
        CHECK(sizeOf(of("context", 1)) > 0);
        const bool passesScores = state == HeadState::On || state == HeadState::Mean;
        for (const char *stage : {"query", "key", "scores"})
            CHECK((sizeOf(of(stage, 1)) > 0) == passesScores);
        CHECK((sizeOf(of("value", 1)) > 0) == (state != HeadState::Zero));
        CHECK((sizeOf(of("weights", 1)) > 0) == (state != HeadState::Zero));
        if (state == HeadState::Mean) // each row had the same share in the mean
            CHECK(of("weights", 1)[0] == doctest::Approx(of("weights", 1)[3]));
    }
}

TEST_CASE("a score that was set by hand has a gradient and passes nothing on") {
    Input input = inputOf({"a b c"});
    for (Index key = 0; key < 3; ++key)
        input.interventions.setScore({0, 0, 0, 2, key, 0.5f});
    const TracePointer trace = traceOf(smallModel(), input);
    Random random(7);
    const Loss loss{{randomSeed(random, *trace, "layers.0.output")}};
    const GradientsPointer gradients = gradientsOf(*trace, loss);
    const SharedMatrix scores = gradients->stage("layers.0.self_attention.scores").matrix(0, 0);
    CHECK(sizeOf(scores.row(2)) > 0);
    const SharedMatrix query = gradients->stage("layers.0.self_attention.query").matrix(0, 0);
    CHECK(sizeOf(query.row(2)) == 0);
    CHECK(sizeOf(query.row(1)) > 0);
    for (Index key = 0; key < 3; ++key) {
        const double slope = slopeOf(
            [&](double step) {
                Input other = input;
                other.interventions.setScore({0, 0, 0, 2, key, 0.5f + static_cast<float>(step)});
                return loss.of(*traceOf(smallModel(), other));
            },
            1.0 / 64);
        CHECK(scores(2, key) == doctest::Approx(slope).epsilon(1e-3));
    }
}

TEST_CASE("hidden cells pass no gradient back") {
    for (const float value : {-std::numeric_limits<float>::infinity(), -2.0f})
        for (const bool softmax : {true, false})
            for (const bool after : {true, false}) {
                Model model = smallModel();
                model.config.softmax = softmax;
                model.config.masking = {value, after};
                const TracePointer trace = traceOf(model, inputOf({"a b c"}, {CausalMask{}}));
                Random random(8);
                const GradientsPointer gradients =
                    gradientsOf(*trace, {{randomSeed(random, *trace, "layers.0.output")}});
                const std::string masked = after ? "layers.0.self_attention.unmasked_weights"
                                                 : "layers.0.self_attention.masked_scores";
                const SharedMatrix scores =
                    gradients->stage("layers.0.self_attention.scores").matrix(0, 0);
                // With softmax before the mask, a hidden score still affects the other weights.
                CHECK((scores(0, 2) == 0) == !(after && softmax));
                CHECK(scores(2, 0) != 0);
                // A finite mask value has a gradient; −∞ does not.
                const bool counts = !after && std::isfinite(value);
                CHECK((gradients->stage(masked).matrix(0, 0)(0, 2) != 0) == counts);
            }
}

TEST_CASE("the outputs of heads: the output's gradient, and seeds of their own") {
    const TracePointer trace = traceOf(smallModel(), inputOf({"a b c"}));
    const std::string heads = "layers.0.self_attention.head_outputs";
    Random random(9);
    const Seed output = randomSeed(random, *trace, "layers.0.self_attention.output");
    const GradientsPointer plain = gradientsOf(*trace, {{output}});
    const Tensor spread = plain->stage(heads);
    REQUIRE(spread.shape() == trace->stage(heads).shape());
    for (Index head = 0; head < 2; ++head)
        CHECK(std::ranges::equal(headOf(spread, head), output.gradient.values()));
    // The same loss given per head.
    const GradientsPointer byHead = gradientsOf(*trace, {{{heads, spread}}});
    checkClose(byHead->stage(heads), spread);
    checkClose(byHead->stage("embeddings"), plain->stage("embeddings"));
    for (std::size_t i = 0; i < 16; ++i)
        CHECK(byHead->parameters.main.layers[0].selfAttention.output->toMatrix()->values()[i] ==
              doctest::Approx(
                  plain->parameters.main.layers[0].selfAttention.output->toMatrix()->values()[i])
                  .epsilon(1e-4));
}

TEST_CASE("the bias that all sequences share has the sum of their gradients") {
    Model model = smallModel();
    model.config.positions = Positions::Alibi;
    const TracePointer trace = traceOf(model, inputOf({"a b", "c d"}));
    Random random(10);
    const GradientsPointer gradients =
        gradientsOf(*trace, {{randomSeed(random, *trace, "layers.0.output")}});
    const Tensor bias = gradients->stage("layers.0.self_attention.position_bias");
    const Tensor scores = gradients->stage("layers.0.self_attention.biased_scores");
    REQUIRE(bias.shape() == Shape{1, 2, 2, 2});
    CHECK(bias.matrix(0, 1)(1, 0) ==
          doctest::Approx(scores.matrix(0, 1)(1, 0) + scores.matrix(1, 1)(1, 0)));
}

TEST_CASE("a trace that makes its layers when they are asked for gives the same gradients") {
    Random random(11);
    for (int trial = 0; trial < 40; ++trial) {
        CAPTURE(trial);
        const Model model = randomTransformer(random);
        const Input input = randomTransformerInput(random, model);
        const TracePointer whole = traceOf(model, input);
        const auto ends = forward(model, input, nullptr, {}, Detail::Ends);
        REQUIRE(ends.ok());
        const Loss loss{{randomSeed(random, *whole, whole->names().back())}};
        const GradientsPointer expected = gradientsOf(*whole, loss);
        const GradientsPointer actual = gradientsOf(**ends, loss);
        CHECK(actual->stageNames() == expected->stageNames());
        for (const ParameterId &id : allParameters(model.parameters))
            CHECK(sameNumbers(parameterOf(actual->parameters, id),
                              parameterOf(expected->parameters, id)));
    }
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

TEST_CASE("nothing to start from, nothing comes back") {
    const TracePointer trace = traceOf(languageModel(), inputOf({"cat sat"}));
    const GradientsPointer gradients = gradientsOf(*trace, {});
    CHECK(gradients->stageNames().empty());
    CHECK(sizeOf(gradients->parameters.main.embeddings->toMatrix()->values()) == 0);
}

TEST_CASE("what cannot be gone back through says so") {
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
    const auto captured = traceOf(capture);
    REQUIRE(captured.ok());
    CHECK(errorOf(**captured, {oneOf(**captured, "layers.0.self_attention.weights")}) ==
          "trace: it is a capture without the model's parameters; open the model itself");
}

TEST_CASE("told to stop, it stops") {
    const TracePointer trace = traceOf(languageModel(), inputOf({"cat sat"}));
    std::stop_source stop;
    stop.request_stop();
    const auto gradients = backward(*trace, {oneOf(*trace, "logits")}, true, stop.get_token());
    REQUIRE_FALSE(gradients.ok());
    CHECK(gradients.error().what == "cancelled");
}
