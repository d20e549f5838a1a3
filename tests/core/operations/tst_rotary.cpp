#include "core/operations/rotary.h"

#include "finite_difference.h"

using namespace headlight::core;
using namespace headlight::core::test;

namespace {

RotaryScaling scalingOf(const nlohmann::json &of) {
    const std::string name = of.value("scaling", "none");
    if (name == "linear")
        return RotaryScaling::Linear;
    if (name == "dynamic")
        return RotaryScaling::Dynamic;
    if (name == "yarn")
        return RotaryScaling::Yarn;
    return name == "llama3" ? RotaryScaling::Llama3 : RotaryScaling::None;
}

RotaryConfig rotaryConfigOf(const nlohmann::json &of) {
    return {.base = of.value("base", 10000.0f),
            .width = of["width"],
            .scaling = scalingOf(of),
            .factor = of.value("factor", 1.0f),
            .originalLength = of.value("original_length", 0),
            .lowFrequencyFactor = of.value("low", 1.0f),
            .highFrequencyFactor = of.value("high", 4.0f),
            .betaFast = of.value("beta_fast", 32.0f),
            .betaSlow = of.value("beta_slow", 1.0f),
            .attentionFactor = of.value("attention_factor", 0.0f)};
}

} // namespace

TEST_CASE("rotary positions turn as complex numbers do in PyTorch, with every scaling") {
    for (const auto &expected : casesOf("rotary")) {
        CAPTURE(expected["name"]);
        Matrix x = matrixOf(expected["x"]);
        const RotaryConfig config = rotaryConfigOf(expected);
        const auto frequencies = rotaryFrequencies(config, x.columns(), x.rows());
        const auto frequenciesThere = expected["frequencies"].get<std::vector<double>>();
        REQUIRE(frequencies.size() == frequenciesThere.size());
        for (std::size_t i = 0; i < frequencies.size(); ++i)
            CHECK(frequencies[i] == doctest::Approx(frequenciesThere[i]).epsilon(1e-7).scale(0));

        const RotaryTable table(config, x.columns(), x.rows());
        Framed from(x), out(x.rows(), x.columns());
        rotate(from.view(), table, out.view());
        checkClose(out.view(), matrixOf(expected["out"]), kValues);
        CHECK(out.isWhole());
        const Matrix arriving = matrixOf(expected["arriving"]);
        Matrix gradient = arriving;
        rotateBackward(gradient.view(), table, gradient.view()); // in place
        checkClose(gradient.view(), matrixOf(expected["x_gradient"]), kGradients);

        checkSlopes(numbersIn(x), gradient.values(), [&] {
            Matrix turned = x;
            rotate(turned.view(), table, turned.view());
            return weighed(arriving.values(), turned.values());
        });
    }
}

TEST_CASE("a rotary width of 0 is the whole head, and a longer table serves shorter texts") {
    const RotaryTable all({.width = 0}, 6, 9), said({.width = 6}, 6, 4);
    CHECK(all.cosine.columns() == 3);
    Matrix x(4, 6);
    for (Index i = 0; i < 24; ++i)
        numbersIn(x)[static_cast<std::size_t>(i)] = static_cast<float>(i) - 11;
    Matrix first(4, 6), second(4, 6);
    rotate(x.view(), all, first.view());
    rotate(x.view(), said, second.view());
    CHECK(first == second);
    CHECK(first.view().row(0)[5] == x(0, 5)); // the first token is not rotated
}

TEST_CASE("rotary: a score depends on how far apart query and key are, not on where") {
    const RotaryTable table({}, 4, 40);
    const Matrix pair(2, 4, {1, -2, 0.5f, 3, 2, 1, -1, 0.25f});
    const auto score = [&](Index queryAt, Index keyAt) {
        Matrix all(40, 4);
        std::ranges::copy(pair.view().row(0), all.view().row(queryAt).begin());
        std::ranges::copy(pair.view().row(1), all.view().row(keyAt).begin());
        rotate(all.view(), table, all.view());
        return weighed(all.view().row(queryAt), all.view().row(keyAt));
    };
    CHECK(score(5, 2) == doctest::Approx(score(30, 27)).epsilon(1e-5));
    CHECK(score(0, 9) == doctest::Approx(score(20, 29)).epsilon(1e-5));
    CHECK(std::abs(score(5, 2) - score(5, 3)) > 0.1);
}
