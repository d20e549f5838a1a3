#include "core/operations/exponential.h"
#include "core/operations/normal_distribution.h"

#include <cmath>
#include <doctest/doctest.h>
#include <limits>

using namespace headlight::core;

TEST_CASE("the exponential is the standard library's, to the last digits") {
    double worst = 0;
    for (float x = -87.3f; x < 88.3f; x += 0.00173f)
        worst = std::max(
            worst,
            std::abs(static_cast<double>(exponential(x)) / std::exp(static_cast<double>(x)) - 1));
    CHECK(worst < 2e-7);
    CHECK(worst > 1e-8); // something was compared
}

TEST_CASE("the exponential at the ends of floats") {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    CHECK(exponential(0) == 1);
    CHECK(exponential(-0.0f) == 1);
    for (const float x : {-88.0f, -89.0f, -1e10f, -3e38f, -infinity})
        CHECK(exponential(x) == 0);
    for (const float x : {88.5f, 89.0f, 1e10f, 3e38f, infinity})
        CHECK(exponential(x) == infinity);
    CHECK(std::isnan(exponential(std::nanf(""))));
}

TEST_CASE("the normal distribution keeps its digits where it is small") {
    double worst = 0;
    for (float x = -10; x <= 10; x += 0.00073f) {
        const auto precise = static_cast<double>(x);
        const NormalDistribution at = normalDistribution(x);
        const double below = std::erfc(-precise / std::sqrt(2)) / 2;
        const double density = std::exp(-precise * precise / 2) / std::sqrt(2 * std::acos(-1));
        worst = std::max(worst, std::abs(static_cast<double>(at.below) / below - 1));
        worst = std::max(worst, std::abs(static_cast<double>(at.density) / density - 1));
    }
    CAPTURE(worst);
    CHECK(worst < 3e-6);
    for (const float far : {14.0f, 1e3f, 1e30f, 3e38f}) {
        CHECK(normalDistribution(far).below == 1);
        CHECK(normalDistribution(-far).below == 0);
        CHECK(normalDistribution(far).density == 0);
    }
    CHECK(normalDistribution(0).below == doctest::Approx(0.5).epsilon(2e-7));
}
