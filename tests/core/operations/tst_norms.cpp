// Layer, RMS and batch normalisation: PyTorch's numbers, forward and backward, and rows without
// variance.
#include "core/operations/batch_norm.h"
#include "core/operations/layer_norm.h"
#include "core/operations/rms_norm.h"
#include "core_test.h"
#include "reference.h"

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
