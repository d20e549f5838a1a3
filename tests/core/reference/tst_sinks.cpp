// A head's sink takes a share of each row, like an additional column of scores whose weights are
// then left out. tst_reference_pass compares the stages with NumPy. tst_backward_slopes compares
// the gradients with slopes.
#include "block_models.h"
#include "core/checks/verification.h"
#include "core/operations/softmax.h"
#include "core_test.h"

#include <limits>

namespace {

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

TEST_CASE("the weight of a sink at the ends of its range") {
    // The sink takes all of a row whose keys are all hidden, and nothing of a row of huge scores.
    const float infinity = std::numeric_limits<float>::infinity();
    CHECK(sinkWeight(std::vector<float>{-infinity, -infinity}, 1, 0.5f) == 1);
    CHECK(sinkWeight(std::vector<float>{1, infinity}, 1, 0.5f) == 0);
    CHECK(sinkWeight(std::vector<float>{1, 2}, 1, -1e4f) == 0);
    CHECK(sinkWeight(std::vector<float>{1, 2}, 1, 1e4f) == 1);
    CHECK(sinkWeight(std::vector<float>{3, 3}, 2, 3) == doctest::Approx(1.0 / 3));
    std::vector<float> untouched(2); // a sink without weight passes nothing back
    CHECK(sinkWeightBackward(std::vector<float>{1, 2}, 1, -1e4f, 1, untouched) == 0);
    CHECK(untouched == std::vector<float>(2));
}

TEST_CASE("a head with uniform weights gives its sink nothing") {
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
