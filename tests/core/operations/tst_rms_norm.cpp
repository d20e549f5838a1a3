#include "core/operations/rms_norm.h"

#include "finite_difference.h"

using namespace headlight::core;
using namespace headlight::core::test;

TEST_CASE("root mean square normalisation is PyTorch's, forward and backward") {
    for (const auto &expected : casesOf("rms_norm")) {
        CAPTURE(expected["name"]);
        const Matrix x = matrixOf(expected["x"]), arriving = matrixOf(expected["arriving"]);
        const auto gain = numbersOf(expected, "gain");
        const auto epsilon = expected["epsilon"].get<float>();
        Framed from(x), out(x.rows(), x.columns());
        rmsNorm(from.view(), gain, epsilon, out.view());
        checkClose(out.view(), matrixOf(expected["out"]), kValues);
        CHECK(out.isWhole());

        Framed back(arriving), xGradient(x.rows(), x.columns());
        std::vector<float> gainGradient(gain.size(), 2);
        rmsNormBackward(from.view(), gain, epsilon, back.view(), xGradient.view(), gainGradient);
        checkClose(xGradient.view(), matrixOf(expected["x_gradient"]), kGradients);
        CHECK(xGradient.isWhole());
        checkAdded(gainGradient, 2, numbersOf(expected, "gain_gradient"));
    }
}

TEST_CASE("root mean square normalisation: gradients are slopes") {
    for (const auto &expected : casesOf("rms_norm")) {
        CAPTURE(expected["name"]);
        Matrix x = matrixOf(expected["x"]);
        const Matrix arriving = matrixOf(expected["arriving"]);
        auto gain = numbersOf(expected, "gain");
        const float epsilon = 1; // a large epsilon keeps the curvature low
        Matrix xGradient(x.rows(), x.columns());
        std::vector<float> gainGradient(gain.size());
        rmsNormBackward(x.view(), gain, epsilon, arriving.view(), xGradient.view(), gainGradient);
        const auto loss = [&] {
            Matrix out(x.rows(), x.columns());
            rmsNorm(x.view(), gain, epsilon, out.view());
            return weighed(arriving.values(), out.values());
        };
        checkSlopes(numbersIn(x), xGradient.values(), loss);
        checkSlopes(gain, gainGradient, loss);
    }
}

TEST_CASE("root mean square normalisation: zeros stay zeros") {
    const Matrix x(1, 3);
    Matrix out(1, 3, {1, 1, 1}), xGradient(1, 3, {1, 1, 1});
    rmsNorm(x.view(), {}, 0, out.view());
    CHECK(out == Matrix(1, 3));
    const Matrix arriving(1, 3, {1, 2, 3});
    rmsNormBackward(x.view(), {}, 0, arriving.view(), xGradient.view(), {});
    CHECK(xGradient == Matrix(1, 3));
}

TEST_CASE("root mean square normalisation in place, by hand, however large") {
    Matrix x(1, 2, {3e30f, -3e30f});
    const std::vector<float> gain{2, 5};
    rmsNorm(x.view(), gain, 1e-6f, x.view());
    CHECK(x.values() == std::vector<float>{2, -5});
    Matrix gradient(1, 2, {1, 2}), expected(1, 2);
    rmsNormBackward(x.view(), gain, 1e-6f, gradient.view(), expected.view(), {});
    rmsNormBackward(x.view(), gain, 1e-6f, gradient.view(), gradient.view(), {});
    CHECK(gradient == expected);
}
