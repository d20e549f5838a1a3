#include "core/analysis/difference.h"
#include "core_test.h"

namespace {

constexpr float kHidden = -std::numeric_limits<float>::infinity();

} // namespace

TEST_CASE("a negative change can be the largest") {
    const Matrix now(1, 2, {0.1F, -4});
    const Matrix before(1, 2, {0, 3});
    const auto result = difference(now.view(), before.view());
    CHECK(result->largest->column == 1);
    CHECK(result->largest->value == -7);
}

TEST_CASE("rounded once") {
    const float a = 0.4123F;
    const float b = 0.1F;
    const Matrix now(1, 1, {a}), before(1, 1, {b});
    const auto result = difference(now.view(), before.view());
    CHECK(result->values(0, 0) ==
          static_cast<float>(static_cast<double>(a) - static_cast<double>(b)));
}

TEST_CASE("padding is shown, but not measured") {
    const Matrix now(3, 2, {0.5F, 0.25F, 0, 0, 9, 9});
    const Matrix before(3, 2, {0.25F, 0.5F, 0, 0, 0, 0});
    const auto result = difference(now.view(), before.view(), 2);
    CHECK(result->values(2, 1) == 9);
    CHECK(result->largest->value == 0.25F);
    CHECK(result->meanAbsolute.value() == doctest::Approx(0.5 / 4));
    CHECK(result->paddingChanged);
    const auto padding = difference(now.view(), before.view(), 0);
    CHECK_FALSE(padding->largest);
    CHECK_FALSE(padding->meanAbsolute); // there are no cells
    CHECK_FALSE(difference(now.view(), now.view(), 2)->paddingChanged);
}

TEST_CASE("a cell that is hidden on both sides is unchanged, on one side it has no number") {
    const Matrix now(1, 4, {kHidden, kHidden, 2, NAN});
    const Matrix before(1, 4, {kHidden, 1, kHidden, 1});
    const auto result = difference(now.view(), before.view());
    CHECK(result->values == Matrix(1, 4));
    CHECK(result->hiddenOnOneSide == std::vector<bool>{false, true, true, true});
    CHECK(result->hidesAnything());
    CHECK_FALSE(result->hasUnknown);
    CHECK_FALSE(result->largest);
    CHECK_FALSE(result->meanAbsolute);
}

TEST_CASE("NaN on both sides has no difference, and is hidden on neither") {
    const Matrix now(2, 2, {NAN, 1, 2, NAN});
    const Matrix before(2, 2, {NAN, 0.5F, 2, NAN});
    const auto result = difference(now.view(), before.view());
    CHECK(std::isnan(result->values(0, 0)));
    CHECK(std::isnan(result->values(1, 1)));
    CHECK_FALSE(result->hidesAnything());
    CHECK(result->hasUnknown);
    REQUIRE(result->largest);
    CHECK(result->largest->column == 1);
    CHECK(result->meanAbsolute.value() == 0.25);
    const auto padding = difference(now.view().rowBlock(1, 1), before.view().rowBlock(1, 1), 0);
    CHECK_FALSE(padding->hasUnknown);
    CHECK_FALSE(padding->paddingChanged);
}

TEST_CASE("the largest floats") {
    constexpr float kMax = std::numeric_limits<float>::max();
    const Matrix now(1, 2, {kMax, -kMax}), before(1, 2, {-kMax, kMax});
    const auto result = difference(now.view(), before.view());
    CHECK(result->values == Matrix(1, 2, {kMax, -kMax}));
}

TEST_CASE("two shapes") {
    const Matrix now(8, 8), before(2, 2);
    const auto result = difference(now.view(), before.view());
    REQUIRE_FALSE(result);
    CHECK(result.error().what == "before it was 2 × 2, now it is 8 × 8");
}
