#include "core/formats/session/data/words.h"
#include "core/operations/activation.h"
#include "core_test.h"

#include "reference.h"

#include <array>

namespace {

const std::vector<Activation> kAll = [] {
    std::vector<Activation> all;
    for (std::size_t i = 0; i < std::size(Words<Activation>::all); ++i)
        all.push_back(static_cast<Activation>(i));
    return all;
}();

Activation activationNamed(const std::string &name) {
    const auto &words = Words<Activation>::all;
    const auto at = static_cast<std::size_t>(std::ranges::find(words, name) - std::begin(words));
    REQUIRE(at < std::size(words));
    return static_cast<Activation>(at);
}

} // namespace

TEST_CASE("activations are PyTorch's, number by number") {
    for (const auto &expected : casesOf("activation")) {
        if (expected["gated"])
            continue;
        CAPTURE(expected["name"]);
        const Activation activation = activationNamed(expected["name"]);
        const auto x = numbersOf(expected, "x"), arriving = numbersOf(expected, "arriving");
        const auto values = numbersOf(expected, "out");
        const auto gradients = numbersOf(expected, "x_gradient");
        std::vector<float> out(x.size()), xGradient(x.size());
        activate(x, activation, out);
        activateBackward(x, activation, arriving, xGradient);
        // Compares each number with its own tolerance: the largest, 10³⁰, would hide errors of the
        // others.
        for (std::size_t i = 0; i < x.size(); ++i) {
            CAPTURE(x[i]);
            checkClose(std::span(out).subspan(i, 1), std::span(values).subspan(i, 1), kValues);
            checkClose(std::span(xGradient).subspan(i, 1), std::span(gradients).subspan(i, 1),
                       kGradients);
            CHECK(activate(x[i], activation) == out[i]);
        }
        auto own = x;
        activate(own, activation, own);
        CHECK(own == out);
    }
}

TEST_CASE("gated activations are PyTorch's, forward and backward") {
    for (const auto &expected : casesOf("activation")) {
        if (!expected["gated"])
            continue;
        CAPTURE(expected["name"]);
        const Activation activation = activationNamed(expected["name"]);
        const auto gate = numbersOf(expected, "gate"), hidden = numbersOf(expected, "hidden");
        const auto arriving = numbersOf(expected, "arriving");
        std::vector<float> out(gate.size()), gateGradient(gate.size()), hiddenGradient(gate.size());
        activateGated(gate, hidden, activation, out);
        checkClose(out, numbersOf(expected, "out"), kValues);
        activateGatedBackward(gate, hidden, activation, arriving, gateGradient, hiddenGradient);
        checkClose(gateGradient, numbersOf(expected, "gate_gradient"), kGradients);
        checkClose(hiddenGradient, numbersOf(expected, "hidden_gradient"), kGradients);
    }
}

TEST_CASE("activations of numbers near the end of floats are 0 or the number itself") {
    for (const Activation activation : kAll) {
        CAPTURE(static_cast<int>(activation));
        for (const float size : {1e3f, 1e10f, 1e20f, 1e30f, 3e38f}) {
            if (activation == Activation::SquaredRelu) { // grows quadratically
                CHECK(activate(size, activation) == size * size);
                CHECK(activate(-size, activation) == 0);
                continue;
            }
            CHECK(activate(size, activation) == size);
            CHECK(activate(-size, activation) == 0);
            const std::array x{size, -size}, arriving{1.0f, 1.0f};
            std::array gradient{7.0f, 7.0f};
            activateBackward(x, activation, arriving, gradient);
            CHECK(gradient == std::array{1.0f, 0.0f});
        }
        CHECK(activate(0, activation) == 0);
        const float nothing = std::nanf("");
        CHECK(std::isnan(activate(nothing, activation))); // NaN is passed on
    }
}

TEST_CASE("activations keep their digits where they are small") {
    // Φ(−5) and σ(−20) to nine digits.
    CHECK(activate(-5, Activation::Gelu) == doctest::Approx(-5 * 2.866515719e-7).epsilon(1e-6));
    CHECK(activate(-20, Activation::Silu) == doctest::Approx(-20 * 2.061153618e-9).epsilon(1e-5));
}
