#include "core/random.h"
#include "core_test.h"

TEST_CASE("the first numbers of seed 0 and seed 1234567 are SplitMix64's") {
    Random zero(0);
    CHECK(zero.next() == 0xE220A8397B1DCDAFULL);
    CHECK(zero.next() == 0x6E789E6AA1B965F4ULL);
    CHECK(zero.next() == 0x06C45D188009454FULL);
    // The reference sequence of the generator's published test programs.
    Random other(1234567);
    CHECK(other.next() == 6457827717110365317ULL);
    CHECK(other.next() == 3203168211198807973ULL);
    CHECK(other.next() == 9817491932198370423ULL);
}

TEST_CASE("uniform and normal never change between versions") {
    Random uniform(42);
    CHECK(uniform.uniform() == 0x1.7bae644c5fd6dp-1);
    CHECK(uniform.uniform() == 0x1.477f199d93378p-3);
    Random normal(42);
    CHECK(normal.normal() == doctest::Approx(0.49295065581737485).epsilon(1e-14));
    CHECK(normal.normal() == doctest::Approx(-1.2810773478777024).epsilon(1e-14));
    CHECK(seedFor(0, "bank") == 0xD95AEF5B0833C717ULL);
    CHECK(seedFor(1, "bank") == 0x0F29508D01112B5EULL);
    CHECK(seedFor(0, "") == 0xC3817C016BA4FF30ULL);
}

TEST_CASE("uniform fills [0, 1) evenly, normal has mean 0 and variance 1") {
    Random random(9);
    constexpr int count = 100000;
    double uniformSum = 0, sum = 0, squares = 0;
    for (int i = 0; i < count; ++i) {
        const double u = random.uniform();
        REQUIRE(u >= 0);
        REQUIRE(u < 1);
        uniformSum += u;
        const double n = random.normal();
        sum += n;
        squares += n * n;
    }
    CHECK(std::abs(uniformSum / count - 0.5) < 0.01);
    CHECK(std::abs(sum / count) < 0.02);
    CHECK(std::abs(squares / count - 1) < 0.03);
}
