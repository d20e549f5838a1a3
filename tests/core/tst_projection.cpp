#include "core/analysis/projection.h"
#include "core/random.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>

using namespace headlight::core;

namespace {

/// Returns the vectors of tests/reference/make_projection.py.
Matrix vectors(Index count, Index width) {
    Matrix rows(count, width);
    for (Index i = 0; i < count; ++i)
        for (Index j = 0; j < width; ++j)
            rows(i, j) = static_cast<float>(
                std::sin(1.0 + static_cast<double>(i) * 12.9898 + static_cast<double>(j) * 78.233) /
                static_cast<double>(1 + j));
    return rows;
}

double productOf(const std::vector<double> &a, const std::vector<double> &b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i] * b[i];
    return sum;
}

} // namespace

TEST_CASE("principal components are those of NumPy") {
    std::ifstream file(HEADLIGHT_TEST_DATA "/projection/principal.json");
    const auto cases = nlohmann::json::parse(file);
    REQUIRE(cases.size() == 6);
    for (const auto &expected : cases) {
        const Matrix rows = vectors(expected["count"], expected["width"]);
        CAPTURE(rows.rows());
        CAPTURE(rows.columns());
        const Projection plane = principalPlane(rows.view());
        CHECK(plane.kind == Projection::Kind::Principal);
        for (std::size_t k = 0; k < 2; ++k)
            CHECK(plane.share.value()[k] ==
                  doctest::Approx(expected["share"][k].get<double>()).epsilon(1e-6).scale(1));
        CHECK(std::abs(productOf(plane.axes[0], plane.axes[1])) < 1e-9);
        const auto &points = expected["points"];
        for (std::size_t i = 0; i < points.size(); ++i) {
            const PlanePoint point = plane.of(rows.view().row(static_cast<Index>(i)));
            CHECK(point.x == doctest::Approx(points[i][0].get<double>()).epsilon(1e-5).scale(1));
            if (points[i].size() > 1 && plane.share.value()[1] > 1e-9)
                CHECK(point.y ==
                      doctest::Approx(points[i][1].get<double>()).epsilon(1e-5).scale(1));
        }
    }
}

TEST_CASE("vectors that are all the same have no principal direction") {
    const Matrix rows(3, 2, {1, 2, 1, 2, 1, 2});
    const Projection plane = principalPlane(rows.view());
    CHECK_FALSE(plane.share); // 0 of 0
    const Matrix one = vectors(1, 4);
    CHECK_FALSE(principalPlane(one.view()).share);
    CHECK(plane.of(rows.view().row(0)) == PlanePoint{0, 0});
    CHECK(principalPlane(MatrixView{}).width() == 0);
}

TEST_CASE("two dimensions are the plane itself, one its first axis") {
    const float vector[] = {3, -4};
    CHECK(exactPlane(2).of(vector) == PlanePoint{3, -4});
    CHECK(exactPlane(1).of(std::span(vector, 1)) == PlanePoint{3, 0});
}

TEST_CASE("along a query, a key's coordinate is its score by the query's length") {
    // By hand: ‖(3, 4, 0)‖ = 5. The second key has 3·1 + 4·2 = 11, 11 ÷ 5 = 2.2.
    const float query[] = {3, 4, 0};
    const Matrix keys(3, 3, {3, 4, 0, 1, 2, 0, 0, 0, 7});
    const auto plane = dotProductPlane(query, keys.view());
    REQUIRE(plane);
    CHECK(plane->of(keys.view().row(0)).x == doctest::Approx(5));
    CHECK(plane->of(keys.view().row(1)).x == doctest::Approx(2.2));
    CHECK(plane->of(keys.view().row(2)).x == doctest::Approx(0));
    // Orthogonally to the query, the third key is longest, along the third dimension.
    CHECK(plane->of(keys.view().row(2)).y == doctest::Approx(7).epsilon(1e-3));
    CHECK(std::abs(productOf(plane->axes[0], plane->axes[1])) < 1e-12);
    const float nothing[] = {0, 0, 0};
    CHECK(plane->of(nothing) == PlanePoint{0, 0}); // the points are not centred
    CHECK(dotProductPlane(nothing, keys.view()).error().where == "query");
    const auto alone = dotProductPlane(query, MatrixView{query, 1, 3, 3});
    REQUIRE(alone);
    CHECK(alone->share.value()[0] == doctest::Approx(1));
    CHECK(alone->share.value()[1] == 0);
    CHECK(alone->of(query).y == doctest::Approx(0));
    CHECK_FALSE(dotProductPlane(query, MatrixView{nothing, 1, 3, 3}).value().share);
}

TEST_CASE("scores of random keys, wide and many") {
    Random random(5);
    for (const auto &[count, width] : {std::pair<Index, Index>{300, 270}, {20, 300}, {300, 4}}) {
        Matrix keys(count, width);
        for (Index i = 0; i < count; ++i)
            for (float &number : keys.view().row(i))
                number = static_cast<float>(random.normal());
        const auto query = keys.view().row(3);
        const auto plane = dotProductPlane(query, keys.view());
        REQUIRE(plane);
        for (Index i = 0; i < count; i += 7) {
            const VectorPair pair = comparedVectors(query, keys.view().row(i));
            CHECK(plane->of(keys.view().row(i)).x == doctest::Approx(pair.projection));
        }
        CHECK(std::abs(productOf(plane->axes[0], plane->axes[1])) < 1e-9);
        CHECK(productOf(plane->axes[1], plane->axes[1]) == doctest::Approx(1));
    }
}

TEST_CASE("moving in the plane leaves every other direction alone") {
    const Matrix rows = vectors(9, 6);
    const Projection plane = principalPlane(rows.view());
    const auto vector = rows.view().row(2);
    const PlanePoint before = plane.of(vector);
    const std::vector<float> moved = plane.moved(vector, 0.5, -0.25);
    const PlanePoint after = plane.of(moved);
    CHECK(after.x == doctest::Approx(before.x + 0.5));
    CHECK(after.y == doctest::Approx(before.y - 0.25));
    double square = 0;
    for (std::size_t i = 0; i < moved.size(); ++i)
        square += std::pow(static_cast<double>(moved[i] - vector[i]), 2);
    CHECK(square == doctest::Approx(0.5 * 0.5 + 0.25 * 0.25));
}

TEST_CASE("angle, length and projection by hand") {
    const float a[] = {3, 0};
    const float b[] = {2, 2};
    const VectorPair pair = comparedVectors(a, b);
    CHECK(pair.dot == 6);
    CHECK(pair.lengthA == 3);
    CHECK(pair.lengthB == doctest::Approx(std::sqrt(8)));
    CHECK(pair.degrees == doctest::Approx(45));
    CHECK(pair.projection == doctest::Approx(2));
    const float none[] = {0, 0};
    CHECK_FALSE(comparedVectors(a, none).angled);
    CHECK(comparedVectors(none, a).projection == 0);
    CHECK(comparedVectors(a, a).degrees == doctest::Approx(0));
}
