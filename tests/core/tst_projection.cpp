// Planes that vectors are projected to.
#include "core/analysis/attention_contribution.h"
#include "core/analysis/projection.h"
#include "core/analysis/smallest_change.h"
#include "core/analysis/vector_space.h"
#include "core/random.h"
#include "core_test.h"
#include "tests/core/fixture.h"

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

TEST_CASE("principal components match NumPy's") {
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
    CHECK_FALSE(plane.share); // without variance, there is no share
    const Matrix one = vectors(1, 4);
    CHECK_FALSE(principalPlane(one.view()).share);
    CHECK(plane.of(rows.view().row(0)) == PlanePoint{0, 0});
    CHECK(principalPlane(MatrixView{}).width() == 0);
}

TEST_CASE("along a query, a key's coordinate is its score divided by the query's length") {
    // Computed by hand: ‖(3, 4, 0)‖ = 5. The second key has 3·1 + 4·2 = 11, 11 ÷ 5 = 2.2.
    const float query[] = {3, 4, 0};
    const Matrix keys(3, 3, {3, 4, 0, 1, 2, 0, 0, 0, 7});
    const auto plane = valueOf(dotProductPlane(query, keys.view()));
    CHECK(plane.of(keys.view().row(0)).x == doctest::Approx(5));
    CHECK(plane.of(keys.view().row(1)).x == doctest::Approx(2.2));
    CHECK(plane.of(keys.view().row(2)).x == doctest::Approx(0));
    // Orthogonal to the query, the third key is longest, along the third dimension.
    CHECK(plane.of(keys.view().row(2)).y == doctest::Approx(7).epsilon(1e-3));
    CHECK(std::abs(productOf(plane.axes[0], plane.axes[1])) < 1e-12);
    const float nothing[] = {0, 0, 0};
    CHECK(plane.of(nothing) == PlanePoint{0, 0}); // this plane does not centre the points
    CHECK(dotProductPlane(nothing, keys.view()).error().where == "query");
    const auto alone = valueOf(dotProductPlane(query, MatrixView{query, 1, 3, 3}));
    CHECK(alone.share.value()[0] == doctest::Approx(1));
    CHECK(alone.share.value()[1] == 0);
    CHECK(alone.of(query).y == doctest::Approx(0));
    CHECK_FALSE(dotProductPlane(query, MatrixView{nothing, 1, 3, 3}).value().share);
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

namespace {

Parameter identity(Index size) {
    Matrix matrix(size, size);
    for (Index i = 0; i < size; ++i)
        matrix(i, i) = 1;
    return makeParameter(std::move(matrix));
}

/// a = (1, 0), b = (0, 1). All matrices are the identity and nothing is scaled, so a's scores are 1
/// and 0. Its weights are 1 ÷ (1 + 1/e) = 0.7311 and 0.2689, and so is its context.
Model byHand() {
    Model model;
    model.config = {.width = 2, .heads = 1, .headSize = 2, .scale = {Scale::Kind::Off, 1}};
    AttentionParameters a;
    a.query = a.key = a.value = identity(2);
    model.parameters.main.layers.push_back({a});
    model.embeddings = std::make_shared<const Embeddings>(
        Embeddings::Given{.width = 2, .words = {{"a", {1, 0}}, {"b", {0, 1}}}});
    return model;
}

const float kMore = static_cast<float>(1 / (1 + std::exp(-1.0)));

} // namespace

TEST_CASE("the vectors of a space, stage after stage") {
    const TracePointer trace = traceOf(smallModel(2), inputOf({"a b c", "d e"}));
    const SequenceHeadId place{1, 1, 1};
    const auto residual = vectorsOf(*trace, VectorSpace::Residual, place);
    REQUIRE(residual.size() == 6);
    CHECK(residual[0].stage == Stage::Positioned);
    CHECK(residual[3].stage == Stage::Output);
    CHECK(residual[4].token == 1);
    CHECK(residual[4].numbers.size() == 4);
    CHECK(residual[4].numbers[2] == trace->stage(Stage::Output, 1).matrix(1)(1, 2));
    // The input of the second layer is the output of the first one, not the embeddings.
    CHECK(residual[0].numbers[0] == trace->stage(Stage::Output, 0).matrix(1)(0, 0));

    const auto scores = vectorsOf(*trace, VectorSpace::QueryKey, place);
    REQUIRE(scores.size() == 6);
    CHECK(scores[0].stage == Stage::Query);
    CHECK(scores[5].stage == Stage::Key);
    CHECK(scores[5].numbers[1] == trace->stage(Stage::Key, 1).matrix(1, 1)(2, 1));
    const auto values = vectorsOf(*trace, VectorSpace::ValueContext, place);
    CHECK(values[0].stage == Stage::Value);
    CHECK(values[3].stage == Stage::Context);

    const Matrix rows = rowsOf(values);
    CHECK(rows.rows() == 6);
    CHECK(rows(3, 1) == values[3].numbers[1]);
    CHECK(rowsOf({}).rows() == 0);
}

TEST_CASE("an output of another width is not in the residual stream") {
    Model model = smallModel();
    model.config.headSize = 3;
    Random random(4);
    model.parameters.main.layers = {randomLayer(random, model.config, false)};
    const TracePointer trace = traceOf(model, inputOf({"a b"}));
    CHECK(vectorsOf(*trace, VectorSpace::Residual, {}).size() == 2);
    const auto gravity = attentionShiftOf(*trace, 0, 0);
    REQUIRE_FALSE(gravity);
    CHECK(gravity.error().what.text().find("outputs 6 dimensions but reads 4") !=
          std::string::npos);
}

TEST_CASE("gravity and pulls computed by hand") {
    const TracePointer trace = traceOf(byHand(), inputOf({"a b"}));
    const auto gravity = valueOf(attentionShiftOf(*trace, 0, 0));
    CHECK(gravity.toContext);
    CHECK(gravity.from(0, 0) == 1);
    CHECK(gravity.to(0, 0) == doctest::Approx(kMore));
    CHECK(gravity.to(0, 1) == doctest::Approx(1 - kMore));

    const auto pulls = valueContributionsOf(*trace, {}, 0);
    REQUIRE(pulls.size() == 2);
    CHECK(pulls[0].from == std::vector<double>{0, 0});
    CHECK(pulls[0].to[0] == doctest::Approx(kMore));
    CHECK(pulls[0].to[1] == 0);
    CHECK(pulls[1].key == 1);
    CHECK(pulls[1].from == pulls[0].to);
    CHECK(pulls[1].to[1] == doctest::Approx(1 - kMore));
    CHECK(pulls[1].weight == doctest::Approx(1 - kMore));
}

TEST_CASE("in any other model, gravity goes to x + output") {
    Model model = byHand();
    SUBCASE("a bias") {
        model.parameters.main.layers[0].selfAttention.valueBias =
            makeParameter(Matrix(1, 2, {1, 0}));
    }
    SUBCASE("W_V is different") {
        model.parameters.main.layers[0].selfAttention.value =
            makeParameter(Matrix(2, 2, {2, 0, 0, 2}));
    }
    SUBCASE("W_O is different") {
        model.parameters.main.layers[0].selfAttention.output =
            makeParameter(Matrix(2, 2, {2, 0, 0, 1}));
    }
    SUBCASE("the values are those of a short vector") {
        model.config.latent = {2, 0, 1, 1e-6f};
        AttentionParameters &weights = model.parameters.main.layers[0].selfAttention;
        weights.keyValueCompression = makeParameter(Matrix(2, 2, {2, 0, 0, 3}));
        weights.sharedKey = makeParameter(Matrix(2, 1, {1, 0}));
        weights.key = makeParameter(Matrix(2, 1, {0, 1}));
    }
    const TracePointer trace = traceOf(model, inputOf({"a b"}));
    const auto gravity = valueOf(attentionShiftOf(*trace, 0, 0));
    CHECK_FALSE(gravity.toContext);
    const Stage last = trace->has(Stage::Output) ? Stage::Output : Stage::Concatenated;
    CHECK(gravity.to(1, 0) == doctest::Approx(trace->stage(last).matrix(0)(1, 0) + 0));
    CHECK(gravity.to(0, 0) == doctest::Approx(trace->stage(last).matrix(0)(0, 0) + 1));
}

TEST_CASE("the last pull ends at the context, and hidden keys do not pull") {
    const TracePointer trace =
        traceOf(smallModel(), inputOf({"one two three four"}, {CausalMask{}}));
    for (Index query = 0; query < 4; ++query) {
        const auto pulls = valueContributionsOf(*trace, {0, 0, 1}, query);
        REQUIRE(static_cast<Index>(pulls.size()) == query + 1);
        const SharedMatrix context = trace->stage(Stage::Context).matrix(0, 1);
        for (Index i = 0; i < 2; ++i)
            CHECK(pulls.back().to[static_cast<std::size_t>(i)] ==
                  doctest::Approx(context(query, i)).epsilon(1e-5));
    }
}

TEST_CASE("no other change that moves the vector as far is smaller") {
    Random random(9);
    const Matrix weights = *randomMatrix(random, 6, 3)->toMatrix();
    std::vector<float> x(6);
    std::vector<double> delta(3);
    for (float &number : x)
        number = static_cast<float>(random.normal());
    for (double &number : delta)
        number = random.normal();
    const auto changed = valueOf(smallestChange(weights.view(), x, delta));
    double size = 0;
    for (std::size_t i = 0; i < weights.values().size(); ++i)
        size += std::pow(static_cast<double>(changed.values()[i] - weights.values()[i]), 2);
    for (int other = 0; other < 50; ++other) {
        // Every other solution is this change plus a part that is orthogonal to x.
        std::vector<double> column(6);
        double along = 0, square = 0;
        for (std::size_t i = 0; i < 6; ++i) {
            column[i] = random.normal();
            along += column[i] * static_cast<double>(x[i]);
            square += std::pow(static_cast<double>(x[i]), 2);
        }
        double otherSize = 0;
        for (Index row = 0; row < 6; ++row)
            for (Index c = 0; c < 3; ++c) {
                const auto r = static_cast<std::size_t>(row);
                const double blind =
                    c == 0 ? column[r] - along / square * static_cast<double>(x[r]) : 0;
                otherSize +=
                    std::pow(static_cast<double>(changed(row, c) - weights(row, c)) + blind, 2);
            }
        CHECK(otherSize > size);
    }
    for (Index c = 0; c < 3; ++c) {
        double moved = 0;
        for (Index row = 0; row < 6; ++row)
            moved += static_cast<double>(x[static_cast<std::size_t>(row)]) *
                     static_cast<double>(changed(row, c) - weights(row, c));
        CHECK(moved == doctest::Approx(delta[static_cast<std::size_t>(c)]).epsilon(1e-5));
    }
}
