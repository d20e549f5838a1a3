#include "core/operations/pooling.h"

#include "finite_difference.h"

using namespace headlight::core;
using namespace headlight::core::test;

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
        Matrix x = matrixOf(expected["x"]);
        const auto arriving = numbersOf(expected, "arriving");
        Framed from(x), xGradient(x.rows(), x.columns());
        std::vector<float> out(arriving.size());
        pool(from.view(), length, pooling, out);
        checkClose(out, numbersOf(expected, "out"), kValues);
        poolBackward(arriving, length, pooling, xGradient.view());
        const Matrix gradient = matrixOf(expected["x_gradient"]);
        checkClose(xGradient.view(), gradient, kGradients);
        CHECK(xGradient.isWhole());
        checkSlopes(numbersIn(x), gradient.values(), [&] {
            pool(x.view(), length, pooling, out);
            return weighed(arriving, out);
        });
    }
}
