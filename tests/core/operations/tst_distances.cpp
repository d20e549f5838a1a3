// Positions: sinusoids, rotary positions, relative biases and ALiBi.
#include "core/operations/distance_bias.h"
#include "core/operations/position.h"
#include "core/operations/rotary.h"
#include "core_test.h"
#include "reference.h"

TEST_CASE("sinusoidal positions, interleaved and sorted, of even and odd width") {
    for (const auto &expected : casesOf("position")) {
        const auto length = expected["length"].get<Index>(), width = expected["width"].get<Index>();
        CAPTURE(width);
        for (const auto order : {SinusoidOrder::Interleaved, SinusoidOrder::Halves}) {
            const bool sorted = order == SinusoidOrder::Halves;
            const Matrix positions = sinusoidalPositions(length, width, order);
            checkClose(positions.view(), matrixOf(expected[sorted ? "halves" : "interleaved"]),
                       kValues);
            for (Index t = 0; t < length; ++t)
                for (Index column = 0; column < width; ++column)
                    CHECK(sinusoidalPosition(t, column, width, order) == positions(t, column));
        }
    }
}

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
        const Matrix x = matrixOf(expected["x"]);
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
        Matrix gradient = matrixOf(expected["arriving"]);
        rotateBackward(gradient.view(), table, gradient.view()); // in place
        checkClose(gradient.view(), matrixOf(expected["x_gradient"]), kGradients);
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

namespace {

RelativeConfig relativeConfigOf(const nlohmann::json &of) {
    return {.buckets = of["buckets"], .maximumDistance = of["maximum_distance"]};
}

} // namespace

TEST_CASE("relative buckets are T5's, at every distance") {
    for (const auto &expected : casesOf("relative_position")) {
        const RelativeConfig config = relativeConfigOf(expected);
        const bool bothWays = expected["both_ways"];
        CAPTURE(config.buckets);
        CAPTURE(bothWays);
        Index distance = -config.maximumDistance - 5;
        for (const Index bucket : expected["of_every_distance"]) {
            CAPTURE(distance);
            CHECK(relativeBucket(distance, config, bothWays) == bucket);
            ++distance;
        }
    }
}

TEST_CASE("relative biases are PyTorch's, forward and backward") {
    for (const auto &expected : casesOf("relative_position")) {
        const RelativeConfig config = relativeConfigOf(expected);
        const bool bothWays = expected["both_ways"];
        CAPTURE(config.buckets);
        CAPTURE(bothWays);
        const auto head = expected["head"].get<Index>();
        const Matrix table = matrixOf(expected["table"]);
        const Matrix values = matrixOf(expected["out"]), arriving = matrixOf(expected["arriving"]);
        Framed out(values.rows(), values.columns());
        const DistanceBias bias{DistanceBias::Relative{config, bothWays}};
        distanceBias(bias, head, table.view().columnBlock(head, 1), out.view());
        checkClose(out.view(), values, 0);
        CHECK(out.isWhole());
        Matrix gradient(table.rows(), table.columns());
        std::ranges::fill(numbersIn(gradient), 2.0f);
        distanceBiasBackward(bias, arriving.view(), gradient.view().columnBlock(head, 1));
        checkAdded(gradient.values(), 2, matrixOf(expected["table_gradient"]).values());
    }
}

TEST_CASE("relative buckets stay within the table, whatever a file says") {
    for (const Index buckets : {1, 2, 3, 4, 5, 7, 32})
        for (const Index farthest : {1, 2, 3, 128, 1000000})
            for (const bool bothWays : {false, true}) {
                CAPTURE(buckets);
                CAPTURE(farthest);
                CAPTURE(bothWays);
                const RelativeConfig config{.buckets = buckets, .maximumDistance = farthest};
                for (const Index distance :
                     {-2000000, -1000, -5, -2, -1, 0, 1, 2, 5, 1000, 2000000}) {
                    const Index bucket = relativeBucket(distance, config, bothWays);
                    CHECK(bucket >= 0);
                    CHECK(bucket < buckets);
                }
                CHECK(relativeBucket(0, config, bothWays) == 0);
            }
}

TEST_CASE("ALiBi's slopes are the authors', also of heads that are no power of two") {
    for (const auto &expected : casesOf("alibi")) {
        CAPTURE(expected["heads"]);
        checkClose(alibiSlopes(expected["heads"]), numbersOf(expected, "slopes"), 1e-7);
    }
    // The example of the paper (Press et al.), section 3: 1/2, 1/4, …, 1/256.
    CHECK(alibiSlopes(8) == std::vector<float>{0.5f, 0.25f, 0.125f, 0.0625f, 0.03125f, 0.015625f,
                                               0.0078125f, 0.00390625f});
}

TEST_CASE("ALiBi subtracts the head's slope for each token of distance, on both sides") {
    Framed out(2, 4);
    distanceBias({DistanceBias::Alibi{{3, 0.5f}}}, 1, {}, out.view());
    checkClose(out.view(), Matrix(2, 4, {0, -0.5f, -1, -1.5f, -0.5f, 0, -0.5f, -1}), 0);
    CHECK(out.isWhole());
}
