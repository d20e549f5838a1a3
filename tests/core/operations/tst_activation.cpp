// Activations near the limits of floats and near 0. Random transformers (tst_verified_models,
// tst_backward_slopes) compare the other values and the slopes.
#include "core/formats/session/data/words.h"
#include "core/operations/activation.h"
#include "core_test.h"

#include <array>

TEST_CASE("activations of numbers near the limits of floats are 0 or the number itself") {
    for (std::size_t i = 0; i < std::size(Words<Activation>::all); ++i) {
        CAPTURE(Words<Activation>::all[i]);
        const auto activation = static_cast<Activation>(i);
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

TEST_CASE("activations keep their precision where they are small") {
    // Φ(−5) and σ(−20) to nine digits.
    CHECK(activate(-5, Activation::Gelu) == doctest::Approx(-5 * 2.866515719e-7).epsilon(1e-6));
    CHECK(activate(-20, Activation::Silu) == doctest::Approx(-20 * 2.061153618e-9).epsilon(1e-5));
}
