// Choosing the next token: greedily, with a temperature, with top-k, and from a seed.
#include "core/generation/choose_token.h"
#include "core/operations/softmax.h"
#include "core_test.h"

namespace {

/// Returns Σ (drawn − expected)² / expected over the tokens that can be drawn, and the number of
/// these tokens. Fails if any other token is drawn.
double chiSquared(const std::vector<float> &logits, const Sampling &sampling,
                  const std::vector<float> &probabilities, int draws) {
    std::vector<int> drawn(logits.size());
    for (Index position = 0; position < draws; ++position)
        ++drawn[static_cast<std::size_t>(chooseToken(logits, sampling, position).id)];
    double sum = 0;
    for (std::size_t id = 0; id < logits.size(); ++id) {
        const double expected = static_cast<double>(probabilities[id]) * draws;
        if (expected == 0)
            CHECK(drawn[id] == 0);
        else
            sum += std::pow(drawn[id] - expected, 2) / expected;
    }
    return sum;
}

std::vector<float> softmaxOf(std::vector<float> logits, float temperature) {
    std::vector<float> probabilities(logits.size());
    softmax(logits, temperature, probabilities);
    return probabilities;
}

constexpr float kHidden = -std::numeric_limits<float>::infinity();

} // namespace

TEST_CASE("greedy sampling takes the largest logit, and the lowest id among equal ones") {
    CHECK(chooseToken(std::vector{0.5f, 2.f, -1.f}, {}, 0).id == 1);
    CHECK(chooseToken(std::vector{0.5f, 2.f, 2.f}, {}, 0).id == 1);
    CHECK(chooseToken(std::vector{-0.f, 0.f}, {}, 0).id == 0);
    CHECK(chooseToken(std::vector{0.f, -0.f}, {}, 0).id == 0);
    CHECK(chooseToken(std::vector{-3.f}, {}, 7).id == 0);
    const ChosenToken certain =
        chooseToken(std::vector{1.f, 1.f}, {.temperature = 0, .topK = 2}, 0);
    CHECK(certain.id == 0);
    CHECK(certain.chance == 1);
}

TEST_CASE("one id may be left out") {
    CHECK(chooseToken(std::vector{0.5f, 2.f, 1.f}, {}, 0, 1).id == 2);
    const Sampling any{.temperature = 1, .topK = 2, .seed = 3};
    for (Index position = 0; position < 200; ++position)
        CHECK(chooseToken(std::vector{5.f, 0.f, 0.f}, any, position, 0).id != 0);
}

TEST_CASE("among equal logits, the lowest ids count as the k largest") {
    const std::vector<float> logits{1, 3, 2, 2, 2, 0};
    const auto drawnOf = [&](Index topK) {
        std::set<Index> drawn;
        for (Index position = 0; position < 400; ++position)
            drawn.insert(chooseToken(logits, {.temperature = 2, .topK = topK}, position).id);
        return drawn;
    };
    CHECK(drawnOf(1) == std::set<Index>{1});
    CHECK(drawnOf(2) == std::set<Index>{1, 2});
    CHECK(drawnOf(3) == std::set<Index>{1, 2, 3});
    CHECK(drawnOf(4) == std::set<Index>{1, 2, 3, 4});
    CHECK(drawnOf(0) == std::set<Index>{0, 1, 2, 3, 4, 5});
    CHECK(drawnOf(100) == drawnOf(0));
}

TEST_CASE("tokens are drawn with their probabilities") {
    const std::vector<float> logits{0.3f, -1.2f, 2.1f, 0, 0.9f, -4, 1.7f, 0.25f};
    constexpr int kDraws = 40000;
    // With 7 degrees of freedom, χ² is below 24.3 for 99.9 % of all seeds.
    for (const std::uint64_t seed : {0, 1, 2026}) {
        CAPTURE(seed);
        for (const float temperature : {0.5f, 1.f, 3.f}) {
            CAPTURE(temperature);
            CHECK(chiSquared(logits, {temperature, 0, seed}, softmaxOf(logits, temperature),
                             kDraws) < 24.3);
        }
        const std::vector<float> three{kHidden, kHidden, 2.1f, kHidden,
                                       0.9f,    kHidden, 1.7f, kHidden};
        CHECK(chiSquared(logits, {1, 3, seed}, softmaxOf(three, 1), kDraws) < 24.3);
    }
}

TEST_CASE("the same seed and position draw the same token, whatever was drawn before") {
    const std::vector<float> logits(50, 1.f);
    const Sampling sampling{.temperature = 1, .topK = 0, .seed = 9};
    const auto drawn = [&](Index position) { return chooseToken(logits, sampling, position).id; };
    // Golden values: other systems and versions must draw the same tokens.
    const std::vector<Index> expected{34, 24, 27, 23, 23, 48, 43, 11};
    for (Index position = 0; position < std::ssize(expected); ++position)
        CHECK(drawn(position) == expected[static_cast<std::size_t>(position)]);
    const Index tenth = drawn(10);
    drawn(3);
    CHECK(drawn(10) == tenth);
    int others = 0;
    for (Index position = 0; position < 50; ++position)
        others += chooseToken(logits, {1, 0, 10}, position).id != drawn(position);
    CHECK(others > 40);
}

TEST_CASE("the reported chance is the probability that a token was drawn with") {
    const std::vector<float> logits{0, 1, 2};
    const std::vector<float> probabilities = softmaxOf(logits, 0.7f);
    for (Index position = 0; position < 50; ++position) {
        const ChosenToken chosen = chooseToken(logits, {.temperature = 0.7f}, position);
        CHECK(chosen.chance == probabilities[static_cast<std::size_t>(chosen.id)]);
    }
}

TEST_CASE("meaningless sampling settings are refused") {
    CHECK(validate(Sampling{}).ok());
    CHECK(validate(Sampling{.temperature = 2, .topK = 5}).ok());
    CHECK_FALSE(validate(Sampling{.temperature = -1}).ok());
    CHECK_FALSE(validate(Sampling{.temperature = std::nanf("")}).ok());
    CHECK_FALSE(validate(Sampling{.temperature = -kHidden}).ok());
    CHECK_FALSE(validate(Sampling{.temperature = 1, .topK = -1}).ok());
}
