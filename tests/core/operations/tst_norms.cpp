// Layer, RMS and batch normalisation of rows without variance, of huge numbers and in place. Random
// transformers (tst_verified_models, tst_backward_slopes) compare all other cases.
#include "core/operations/norms.h"
#include "core_test.h"

TEST_CASE("layer normalisation: a constant row becomes the bias") {
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

TEST_CASE("layer normalisation in place, of numbers whose squares overflow") {
    Matrix x(1, 4, {1e30f, -1e30f, 1e30f, -1e30f});
    layerNorm(x.view(), {}, {}, 1e-5f, x.view());
    CHECK(x.values() == std::vector<float>{1, -1, 1, -1});
    Matrix gradient(1, 4, {1, 2, 3, 5}), expected(1, 4);
    layerNormBackward(x.view(), {}, 1e-5f, gradient.view(), expected.view(), {}, {});
    layerNormBackward(x.view(), {}, 1e-5f, gradient.view(), gradient.view(), {}, {});
    CHECK(gradient == expected);
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

TEST_CASE("root mean square normalisation in place, of numbers whose squares overflow") {
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

TEST_CASE("batch normalisation: a constant column becomes the bias, padding too") {
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
