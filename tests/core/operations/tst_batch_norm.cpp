#include "core/operations/batch_norm.h"

#include "finite_difference.h"

using namespace headlight::core;
using namespace headlight::core::test;

namespace {

std::vector<Matrix> matricesOf(const nlohmann::json &sequences) {
    std::vector<Matrix> matrices;
    for (const auto &sequence : sequences)
        matrices.push_back(matrixOf(sequence));
    return matrices;
}

std::vector<Matrix> like(const std::vector<Matrix> &matrices) {
    std::vector<Matrix> zeros;
    for (const Matrix &matrix : matrices)
        zeros.emplace_back(matrix.rows(), matrix.columns());
    return zeros;
}

std::vector<MatrixView> viewsOf(const std::vector<Matrix> &matrices) {
    std::vector<MatrixView> views;
    for (const Matrix &matrix : matrices)
        views.push_back(matrix.view());
    return views;
}

std::vector<MutableMatrixView> viewsInto(std::vector<Matrix> &matrices) {
    std::vector<MutableMatrixView> views;
    for (Matrix &matrix : matrices)
        views.push_back(matrix.view());
    return views;
}

} // namespace

TEST_CASE("batch normalisation is PyTorch's, forward and backward, with and without padding") {
    for (const auto &expected : casesOf("batch_norm")) {
        CAPTURE(expected["name"]);
        const auto x = matricesOf(expected["x"]), arriving = matricesOf(expected["arriving"]);
        const auto lengths = expected["lengths"].get<std::vector<Index>>();
        const auto gain = numbersOf(expected, "gain"), bias = numbersOf(expected, "bias");
        const auto epsilon = expected["epsilon"].get<float>();
        auto out = like(x), xGradients = like(x);
        batchNorm(viewsOf(x), lengths, gain, bias, epsilon, viewsInto(out));
        std::vector<float> gainGradient(gain.size(), 2), biasGradient(bias.size(), 3);
        batchNormBackward(viewsOf(x), lengths, gain, epsilon, viewsOf(arriving),
                          viewsInto(xGradients), gainGradient, biasGradient);
        const auto outs = matricesOf(expected["out"]);
        const auto gradients = matricesOf(expected["x_gradient"]);
        for (std::size_t b = 0; b < x.size(); ++b) {
            CAPTURE(b);
            checkClose(out[b].values(), outs[b].values(), kValues);
            checkClose(xGradients[b].values(), gradients[b].values(), kGradients);
        }
        checkAdded(gainGradient, 2, numbersOf(expected, "gain_gradient"));
        checkAdded(biasGradient, 3, numbersOf(expected, "bias_gradient"));

        // In place, the result is the same.
        auto own = x, back = arriving;
        batchNormBackward(viewsOf(x), lengths, gain, epsilon, viewsOf(back), viewsInto(back), {},
                          {});
        CHECK(back == xGradients);
        batchNorm(viewsOf(own), lengths, gain, bias, epsilon, viewsInto(own));
        CHECK(own == out);
    }
}

TEST_CASE("batch normalisation: gradients are slopes") {
    for (const auto &expected : casesOf("batch_norm")) {
        CAPTURE(expected["name"]);
        auto x = matricesOf(expected["x"]);
        const auto arriving = matricesOf(expected["arriving"]);
        const auto lengths = expected["lengths"].get<std::vector<Index>>();
        auto gain = numbersOf(expected, "gain"), bias = numbersOf(expected, "bias");
        const float epsilon = 1; // a large epsilon keeps the curvature low
        auto xGradients = like(x);
        std::vector<float> gainGradient(gain.size()), biasGradient(bias.size());
        batchNormBackward(viewsOf(x), lengths, gain, epsilon, viewsOf(arriving),
                          viewsInto(xGradients), gainGradient, biasGradient);
        const auto loss = [&] {
            auto out = like(x);
            batchNorm(viewsOf(x), lengths, gain, bias, epsilon, viewsInto(out));
            double sum = 0;
            for (std::size_t b = 0; b < out.size(); ++b)
                sum += weighed(arriving[b].values(), out[b].values());
            return sum;
        };
        for (std::size_t b = 0; b < x.size(); ++b)
            checkSlopes(numbersIn(x[b]), xGradients[b].values(), loss);
        checkSlopes(gain, gainGradient, loss);
        checkSlopes(bias, biasGradient, loss);
    }
}

TEST_CASE("batch normalisation: a column in which nothing varies is the bias, padding too") {
    const std::vector<Matrix> x{Matrix(3, 2, {0.1f, 1, 0.1f, 3, 9, 2})};
    const std::vector<Index> lengths{2};
    const std::vector<float> gain{2, 1}, bias{5, 0};
    auto out = like(x), xGradients = like(x);
    batchNorm(viewsOf(x), lengths, gain, bias, 0, viewsInto(out));
    CHECK(out[0].values() == std::vector<float>{5, -1, 5, 1, 5, 0});
    const std::vector<Matrix> arriving{Matrix(3, 2, {1, 0, 2, 0, 3, 0})};
    batchNormBackward(viewsOf(x), lengths, gain, 0, viewsOf(arriving), viewsInto(xGradients), {},
                      {});
    CHECK(xGradients[0] == Matrix(3, 2));
}

TEST_CASE("batch normalisation of nothing but padding") {
    const std::vector<Matrix> x{Matrix(2, 1, {3, -3})};
    const std::vector<Index> lengths{0};
    auto out = like(x);
    batchNorm(viewsOf(x), lengths, {}, {}, 0, viewsInto(out));
    CHECK(out[0] == Matrix(2, 1));
}
