#include "core/operations/softmax.h"
#include "core/operations/softmax_jacobian.h"
#include "core_test.h"

#include "reference.h"

namespace {

constexpr float kHidden = std::numeric_limits<float>::infinity();

std::vector<float> maskedScores(const nlohmann::json &of) {
    auto scores = numbersOf(of, "scores");
    for (const std::size_t hidden : of["hidden"])
        scores[hidden] = -kHidden;
    return scores;
}

std::vector<float> weightsOf(std::span<const float> scores, float temperature) {
    std::vector<float> weights(scores.size());
    softmax(scores, temperature, weights);
    return weights;
}

} // namespace

TEST_CASE("softmax is PyTorch's, forward and backward") {
    for (const auto &expected : casesOf("softmax")) {
        CAPTURE(expected["name"]);
        const auto temperature = expected["temperature"].get<float>();
        const auto weights = weightsOf(maskedScores(expected), temperature);
        checkClose(weights, numbersOf(expected, "out"), kValues);
        std::vector<float> gradient = numbersOf(expected, "arriving");
        softmaxBackward(weights, gradient, temperature, gradient); // in place
        checkClose(gradient, numbersOf(expected, "scores_gradient"), kGradients);
    }
}

TEST_CASE("softmax: a row that saw nothing gives nothing back, one weight of 1 neither") {
    const std::vector<float> arriving{3, -4, 5}, none(3), one{0, 1, 0};
    std::vector<float> gradient(3, 7);
    softmaxBackward(none, arriving, 0.5f, gradient);
    CHECK(gradient == std::vector<float>{0, 0, 0});
    softmaxBackward(one, arriving, 0.5f, gradient);
    CHECK(gradient == std::vector<float>{0, 0, 0});
    softmaxBackward({}, {}, 1, {});
}

TEST_CASE("the Jacobian of softmax is PyTorch's, and so is its size") {
    for (const auto &expected : casesOf("softmax")) {
        CAPTURE(expected["name"]);
        const auto temperature = expected["temperature"].get<float>();
        const auto weights = weightsOf(maskedScores(expected), temperature);
        CHECK(softmaxJacobianNorm(weights, temperature) ==
              doctest::Approx(expected["jacobian_norm"].get<double>()).epsilon(1e-5));
        const Matrix jacobian = softmaxJacobian(weights, temperature);
        if (expected.contains("jacobian"))
            checkClose(jacobian.view(), matrixOf(expected["jacobian"]), kGradients);
        double squares = 0;
        for (const float number : jacobian.values())
            squares += static_cast<double>(number) * static_cast<double>(number);
        CHECK(softmaxJacobianNorm(weights, temperature) ==
              doctest::Approx(std::sqrt(squares)).epsilon(1e-5));
    }
}

TEST_CASE("the Jacobian of softmax vanishes where one weight takes all") {
    const std::vector<float> half{0.5f, 0.5f}, all{1, 0};
    CHECK(softmaxJacobian(half, 1) == Matrix(2, 2, {0.25f, -0.25f, -0.25f, 0.25f}));
    CHECK(softmaxJacobianNorm(half, 1) == doctest::Approx(0.5));
    CHECK(softmaxJacobianNorm(half, 4) == doctest::Approx(0.125));
    CHECK(softmaxJacobian(all, 1) == Matrix(2, 2));
    CHECK(softmaxJacobianNorm(all, 1) == 0);
    CHECK(softmaxJacobianNorm({}, 1) == 0);
    // Larger scores, such as unscaled products of long vectors, shrink the gradient.
    double before = 1;
    for (const float size : {1.0f, 4.0f, 16.0f}) {
        const std::vector<float> scores{0.1f * size, 0.4f * size, -0.9f * size};
        const double norm = softmaxJacobianNorm(weightsOf(scores, 1), 1);
        CHECK(norm < before);
        before = norm;
    }
    CHECK(before < 0.02);
}
