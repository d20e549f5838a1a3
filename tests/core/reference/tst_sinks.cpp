// A head's sink takes a share of each row, like an additional column of scores whose weights are
// then left out.
#include "block_models.h"
#include "core/checks/verification.h"
#include "core/operations/softmax.h"
#include "core/transformer/run/backward.h"
#include "core_test.h"

#include <cmath>

namespace {

/// Returns the model with its sinks changed by `change`.
template <typename Change>
Model withSinks(Model model, Change change) {
    for (LayerParameters &layer : model.parameters.main.layers) {
        Matrix sinks = *layer.selfAttention.sinks->toMatrix();
        for (float &sink : sinks.view().row(0))
            sink = change(sink);
        layer.selfAttention.sinks = makeParameter(std::move(sinks));
    }
    return model;
}

std::vector<float> weightsOf(const std::vector<float> &scores, float temperature, float sink) {
    std::vector<float> weights(scores.size());
    softmax(scores, temperature, weights, sink);
    return weights;
}

BlockCase modelWithSinks() {
    const std::vector<BlockCase> cases = expertCases();
    const auto found = std::ranges::find_if(
        cases, [](const BlockCase &block) { return block.model.hasSinks({}); });
    REQUIRE(found != cases.end());
    return *found;
}

} // namespace

TEST_CASE("a sink is one more score without a weight") {
    const float infinity = std::numeric_limits<float>::infinity();
    const std::vector<float> scores{0.3f, -1, 2.5f, -infinity};
    for (const float temperature : {1.0f, 0.4f})
        for (const float sink : {-3.0f, 0.0f, 2.0f, 60.0f}) {
            CAPTURE(temperature);
            CAPTURE(sink);
            std::vector<float> all = scores;
            all.push_back(sink);
            const std::vector<float> wanted = weightsOf(all, temperature, kNoSink);
            const std::vector<float> made = weightsOf(scores, temperature, sink);
            for (std::size_t i = 0; i < made.size(); ++i)
                CHECK(made[i] == doctest::Approx(wanted[i]).epsilon(1e-6));
        }
    CHECK(weightsOf(scores, 1, -1e4f) == weightsOf(scores, 1, kNoSink));
    CHECK(weightsOf(scores, 1, 1e4f) == std::vector<float>(4));
    CHECK(weightsOf({-infinity, -infinity}, 1, 0) == std::vector<float>(2));
    CHECK(weightsOf({1, infinity, infinity}, 1, 0) == std::vector<float>{0, 0.5f, 0.5f});
}

TEST_CASE("rows add up to less than 1, by the share of the head's sink") {
    const BlockCase block = modelWithSinks();
    const TracePointer trace = traceOf(block.model, block.input);
    const Matrix sinks = *block.model.parameters.main.layers[1].selfAttention.sinks->toMatrix();
    const AttentionId second(1, Block::SelfAttention, Stack::Main);
    for (Index head = 0; head < block.model.config.heads; ++head) {
        const SharedMatrix scores = trace->matrix(Stage::MaskedScores, second, 0, head);
        const SharedMatrix weights = trace->matrix(Stage::AttentionWeights, second, 0, head);
        for (Index row = 0; row < weights.rows; ++row) {
            double sum = 0, exponentials = 0;
            for (const float weight : weights.row(row))
                sum += static_cast<double>(weight);
            for (const float score : scores.row(row))
                exponentials += std::exp(static_cast<double>(score));
            const double ofSink = std::exp(static_cast<double>(sinks(0, head)));
            CHECK(sum == doctest::Approx(exponentials / (exponentials + ofSink)).epsilon(1e-5));
        }
    }
}

TEST_CASE("the weights of the sinks are a stage of one column, the rest of each row") {
    const BlockCase block = modelWithSinks();
    const TracePointer trace = traceOf(block.model, block.input);
    REQUIRE(trace->has("layers.1.self_attention.sink_weights"));
    const AttentionId second(1, Block::SelfAttention, Stack::Main);
    for (Index head = 0; head < block.model.config.heads; ++head) {
        const SharedMatrix sinks = trace->matrix(Stage::SinkWeights, second, 0, head);
        const SharedMatrix weights = trace->matrix(Stage::AttentionWeights, second, 0, head);
        REQUIRE(sinks.columns == 1);
        REQUIRE(sinks.rows == weights.rows);
        for (Index row = 0; row < weights.rows; ++row) {
            double sum = static_cast<double>(sinks(row, 0));
            for (const float weight : weights.row(row))
                sum += static_cast<double>(weight);
            CHECK(sum == doctest::Approx(1).epsilon(1e-6));
        }
    }
    // A row in which all keys are hidden is the sink's, and one of huge scores is not.
    const float infinity = std::numeric_limits<float>::infinity();
    CHECK(sinkWeight(std::vector<float>{-infinity, -infinity}, 1, 0.5f) == 1);
    CHECK(sinkWeight(std::vector<float>{1, infinity}, 1, 0.5f) == 0);
    CHECK(sinkWeight(std::vector<float>{1, 2}, 1, -1e4f) == 0);
    CHECK(sinkWeight(std::vector<float>{1, 2}, 1, 1e4f) == 1);
    CHECK(sinkWeight(std::vector<float>{3, 3}, 2, 3) == doctest::Approx(1.0 / 3));
}

TEST_CASE("a head that weighs all visible keys alike gives its sink nothing") {
    BlockCase block = modelWithSinks();
    const AttentionId second(1, Block::SelfAttention, Stack::Main);
    block.input.interventions.heads.push_back(
        {second.layer, 1, HeadState::Uniform, second.block, second.stack});
    const TracePointer trace = traceOf(block.model, block.input);
    const SharedMatrix none = trace->matrix(Stage::SinkWeights, second, 0, 1);
    for (Index row = 0; row < none.rows; ++row)
        CHECK(none(row, 0) == 0);
    CHECK(trace->matrix(Stage::SinkWeights, second, 0, 0)(0, 0) > 0);
    const auto verified = verify(*trace);
    REQUIRE(verified.ok());
    CHECK(verified->isWithin());
}

TEST_CASE("another sink recomputes what comes after it, and the reference agrees") {
    const BlockCase block = modelWithSinks();
    const TracePointer before = traceOf(block.model, block.input);
    for (const float shift : {-1e4f, 0.5f, 30.0f}) {
        CAPTURE(shift);
        const Model edited = withSinks(block.model, [=](float sink) { return sink + shift; });
        const TracePointer after = traceOf(edited, block.input, before);
        const TracePointer fresh = traceOf(edited, block.input);
        for (const std::string &name : fresh->names()) {
            CAPTURE(name);
            CHECK(after->stage(name).values() == fresh->stage(name).values());
        }
        CHECK(after->stage("logits").values() != before->stage("logits").values());
        const auto verified = verify(*fresh);
        REQUIRE(verified.ok());
        CHECK(verified->isWithin());
    }
}

TEST_CASE("the gradient of a sink's weight is its slope") {
    Random random(5);
    for (const float temperature : {1.0f, 2.0f}) {
        std::vector<float> scores(4), back(4);
        for (float &score : scores)
            score = static_cast<float>(random.normal());
        const float sink = 0.4f, slope = 1.5f, step = 0x1p-7f;
        const double ofSink = sinkWeightBackward(scores, temperature, sink, slope, back);
        const auto slopeAt = [&](auto change) {
            const auto moved = [&](float by) {
                std::vector<float> changed = scores;
                float changedSink = sink;
                change(changed, changedSink, by);
                return static_cast<double>(sinkWeight(changed, temperature, changedSink));
            };
            return double(slope) * (moved(step) - moved(-step)) / (2 * double(step));
        };
        CHECK(ofSink == doctest::Approx(slopeAt([](auto &, float &own, float by) {
                            own += by;
                        })).epsilon(1e-3));
        for (std::size_t j = 0; j < scores.size(); ++j)
            CHECK(static_cast<double>(back[j]) ==
                  doctest::Approx(slopeAt([j](auto &all, float &, float by) {
                      all[j] += by;
                  })).epsilon(1e-3));
    }
    std::vector<float> untouched(2); // a sink without weight passes nothing back
    CHECK(sinkWeightBackward(std::vector<float>{1, 2}, 1, -1e4f, 1, untouched) == 0);
    CHECK(untouched == std::vector<float>(2));
}

TEST_CASE("the gradient of a sink is its slope") {
    Random random(3);
    std::vector<float> scores(5), up(5), weights(5);
    for (const float sink : {-1.0f, 0.7f, 3.0f})
        for (const float temperature : {1.0f, 2.0f}) {
            for (std::size_t i = 0; i < scores.size(); ++i) {
                scores[i] = static_cast<float>(random.normal());
                up[i] = static_cast<float>(random.normal());
            }
            const auto loss = [&](float at) {
                softmax(scores, temperature, weights, at);
                double sum = 0;
                for (std::size_t i = 0; i < weights.size(); ++i)
                    sum += static_cast<double>(weights[i]) * static_cast<double>(up[i]);
                return sum;
            };
            const float step = 0x1p-7f;
            const double slope = (loss(sink + step) - loss(sink - step)) / (2 * double(step));
            loss(sink);
            CHECK(sinkGradient(weights, up, temperature) == doctest::Approx(slope).epsilon(1e-3));
        }
}
