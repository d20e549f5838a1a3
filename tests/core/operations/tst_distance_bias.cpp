#include "core/operations/distance_bias.h"

#include "finite_difference.h"

using namespace headlight::core;
using namespace headlight::core::test;

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
        Matrix table = matrixOf(expected["table"]);
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

        Matrix fresh(table.rows(), table.columns());
        distanceBiasBackward(bias, arriving.view(), fresh.view().columnBlock(head, 1));
        checkSlopes(numbersIn(table), fresh.values(), [&] {
            Matrix made(values.rows(), values.columns());
            distanceBias(bias, head, table.view().columnBlock(head, 1), made.view());
            return weighed(arriving.values(), made.values());
        });
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
