// Linear layers, the products of attention, the mean of a head and pooling: PyTorch's numbers,
// forward and backward.
#include "core/operations/head_state.h"
#include "core/operations/linear.h"
#include "core/operations/pooling.h"
#include "core/operations/scores.h"
#include "core_test.h"
#include "reference.h"

TEST_CASE("a linear layer is PyTorch's, forward and backward") {
    for (const auto &expected : casesOf("linear")) {
        CAPTURE(expected["name"]);
        const Matrix x = matrixOf(expected["x"]), weight = matrixOf(expected["weight"]);
        const auto bias = numbersOf(expected, "bias");
        Framed from(x), columns(weight), out(x.rows(), weight.columns());
        linear(from.view(), columns.view(), bias, out.view());
        checkClose(out.view(), matrixOf(expected["out"]), kValues);
        CHECK(out.isWhole());

        Framed back(matrixOf(expected["arriving"])), xGradient(x.rows(), x.columns());
        Matrix weightGradient(weight.rows(), weight.columns());
        std::ranges::fill(numbersIn(weightGradient), 2.0f);
        std::vector<float> biasGradient(bias.size(), 3);
        linearBackward(from.view(), columns.view(), back.view(), xGradient.view(),
                       weightGradient.view(), biasGradient);
        checkClose(xGradient.view(), matrixOf(expected["x_gradient"]), kGradients);
        CHECK(xGradient.isWhole());
        checkAdded(weightGradient.values(), 2, matrixOf(expected["weight_gradient"]).values());
        checkAdded(biasGradient, 3, numbersOf(expected, "bias_gradient"));

        // Without gradients for the parameters.
        Matrix alone(x.rows(), x.columns());
        linearBackward(from.view(), columns.view(), back.view(), alone.view(), {}, {});
        checkClose(xGradient.view(), alone, 0);
    }
}

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

TEST_CASE("the mean in a context's place is PyTorch's, forward and backward") {
    for (const auto &expected : casesOf("head_state")) {
        const auto real = expected["real"].get<Index>();
        Framed context(matrixOf(expected["x"])), gradient(matrixOf(expected["arriving"]));
        replaceByMean(context.view(), real);
        checkClose(context.view(), matrixOf(expected["out"]), kValues);
        meanBackward(gradient.view(), real, gradient.view()); // in place
        checkClose(gradient.view(), matrixOf(expected["x_gradient"]), kGradients);
        CHECK(gradient.isWhole());
    }
}

namespace {

Pooling poolingNamed(const std::string &name) {
    if (name == "first")
        return Pooling::First;
    return name == "last" ? Pooling::Last : Pooling::Mean;
}

} // namespace

TEST_CASE("pooling is PyTorch's, forward and backward, and leaves padding out") {
    for (const auto &expected : casesOf("pooling")) {
        CAPTURE(expected["name"]);
        const Pooling pooling = poolingNamed(expected["name"]);
        const auto length = expected["length"].get<Index>();
        const Matrix x = matrixOf(expected["x"]);
        const auto arriving = numbersOf(expected, "arriving");
        Framed from(x), xGradient(x.rows(), x.columns());
        std::vector<float> out(arriving.size());
        pool(from.view(), length, pooling, out);
        checkClose(out, numbersOf(expected, "out"), kValues);
        poolBackward(arriving, length, pooling, xGradient.view());
        checkClose(xGradient.view(), matrixOf(expected["x_gradient"]), kGradients);
        CHECK(xGradient.isWhole());
    }
}
