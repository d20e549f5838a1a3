#include "core/operations/scores.h"
#include "core/tensor/product.h"

#include "finite_difference.h"

using namespace headlight::core;
using namespace headlight::core::test;

TEST_CASE("gradients of attention's products are PyTorch's") {
    for (const auto &expected : casesOf("scores")) {
        CAPTURE(expected["name"]);
        const bool context = expected["product"] == "context";
        const char *left = context ? "weights" : "query", *right = context ? "value" : "key";
        const Matrix a = matrixOf(expected[left]), b = matrixOf(expected[right]);
        Framed first(a), second(b), back(matrixOf(expected["arriving"]));
        Framed firstGradient(a.rows(), a.columns());
        Matrix secondGradient(b.rows(), b.columns());
        std::ranges::fill(numbersIn(secondGradient), 2.0f);
        (context ? contextBackward : scoresBackward)(first.view(), second.view(), back.view(),
                                                     firstGradient.view(), secondGradient.view(),
                                                     {});
        checkClose(firstGradient.view(), matrixOf(expected[std::string(left) + "_gradient"]),
                   kGradients);
        CHECK(firstGradient.isWhole());
        checkAdded(secondGradient.values(), 2,
                   matrixOf(expected[std::string(right) + "_gradient"]).values());
    }
}

TEST_CASE("attention's products: gradients are slopes") {
    for (const auto &expected : casesOf("scores")) {
        CAPTURE(expected["name"]);
        const bool context = expected["product"] == "context";
        Matrix a = matrixOf(expected[context ? "weights" : "query"]);
        Matrix b = matrixOf(expected[context ? "value" : "key"]);
        const Matrix arriving = matrixOf(expected["arriving"]);
        Matrix aGradient(a.rows(), a.columns()), bGradient(b.rows(), b.columns());
        (context ? contextBackward : scoresBackward)(a.view(), b.view(), arriving.view(),
                                                     aGradient.view(), bGradient.view(), {});
        const auto loss = [&] {
            Matrix out(arriving.rows(), arriving.columns());
            (context ? multiply : multiplyTransposed)(a.view(), b.view(), out.view(), {});
            return weighed(arriving.values(), out.values());
        };
        checkSlopes(numbersIn(a), aGradient.values(), loss);
        checkSlopes(numbersIn(b), bGradient.values(), loss);
    }
}
