#include "core/operations/layer_norm.h"

#include "finite_difference.h"

using namespace headlight::core;
using namespace headlight::core::test;

TEST_CASE("layer normalisation is PyTorch's, forward and backward") {
    for (const auto &expected : casesOf("layer_norm")) {
        CAPTURE(expected["name"]);
        const Matrix x = matrixOf(expected["x"]), arriving = matrixOf(expected["arriving"]);
        const auto gain = numbersOf(expected, "gain"), bias = numbersOf(expected, "bias");
        const auto epsilon = expected["epsilon"].get<float>();
        Framed from(x), out(x.rows(), x.columns());
        layerNorm(from.view(), gain, bias, epsilon, out.view());
        checkClose(out.view(), matrixOf(expected["out"]), kValues);
        CHECK(out.isWhole());

        Framed back(arriving), xGradient(x.rows(), x.columns());
        std::vector<float> gainGradient(gain.size(), 2), biasGradient(bias.size(), 3);
        layerNormBackward(from.view(), gain, epsilon, back.view(), xGradient.view(), gainGradient,
                          biasGradient);
        checkClose(xGradient.view(), matrixOf(expected["x_gradient"]), kGradients);
        CHECK(xGradient.isWhole());
        checkAdded(gainGradient, 2, numbersOf(expected, "gain_gradient"));
        checkAdded(biasGradient, 3, numbersOf(expected, "bias_gradient"));
    }
}

TEST_CASE("layer normalisation: gradients are slopes") {
    for (const auto &expected : casesOf("layer_norm")) {
        CAPTURE(expected["name"]);
        Matrix x = matrixOf(expected["x"]);
        const Matrix arriving = matrixOf(expected["arriving"]);
        if (x(0, 0) > 100) // differences of numbers around 1000 are too imprecise
            continue;
        auto gain = numbersOf(expected, "gain"), bias = numbersOf(expected, "bias");
        const float epsilon = 1; // a large epsilon keeps the curvature low
        Matrix xGradient(x.rows(), x.columns());
        std::vector<float> gainGradient(gain.size()), biasGradient(bias.size());
        layerNormBackward(x.view(), gain, epsilon, arriving.view(), xGradient.view(), gainGradient,
                          biasGradient);
        const auto loss = [&] {
            Matrix out(x.rows(), x.columns());
            layerNorm(x.view(), gain, bias, epsilon, out.view());
            return weighed(arriving.values(), out.values());
        };
        checkSlopes(numbersIn(x), xGradient.values(), loss);
        checkSlopes(gain, gainGradient, loss);
        checkSlopes(bias, biasGradient, loss);
    }
}

TEST_CASE("layer normalisation: a row in which nothing varies is the bias") {
    const Matrix x(2, 3, {0.1f, 0.1f, 0.1f, 1e30f, 1e30f, 1e30f});
    const std::vector<float> gain{2, 3, 4}, bias{5, 6, 7};
    Matrix out(2, 3), xGradient(2, 3);
    layerNorm(x.view(), gain, bias, 0, out.view());
    CHECK(out.values() == std::vector<float>{5, 6, 7, 5, 6, 7});
    const Matrix arriving(2, 3, {1, 2, 3, 4, 5, 6});
    std::vector<float> gainGradient(3), biasGradient(3);
    layerNormBackward(x.view(), gain, 0, arriving.view(), xGradient.view(), gainGradient,
                      biasGradient);
    CHECK(xGradient == Matrix(2, 3));
    CHECK(gainGradient == std::vector<float>{0, 0, 0});
    CHECK(biasGradient == std::vector<float>{5, 7, 9});
}

TEST_CASE("layer normalisation in place, of numbers whose squares no float can hold") {
    Matrix x(1, 4, {1e30f, -1e30f, 1e30f, -1e30f});
    layerNorm(x.view(), {}, {}, 1e-5f, x.view());
    CHECK(x.values() == std::vector<float>{1, -1, 1, -1});
    Matrix gradient(1, 4, {1, 2, 3, 5}), expected(1, 4);
    layerNormBackward(x.view(), {}, 1e-5f, gradient.view(), expected.view(), {}, {});
    layerNormBackward(x.view(), {}, 1e-5f, gradient.view(), gradient.view(), {}, {});
    CHECK(gradient == expected);
}
