#include "core/operations/relative_position.h"

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
        relativeBias(table.view(), config, bothWays, head, out.view());
        checkClose(out.view(), values, 0);
        CHECK(out.isWhole());
        Matrix gradient(table.rows(), table.columns());
        std::ranges::fill(numbersIn(gradient), 2.0f);
        relativeBiasBackward(arriving.view(), config, bothWays, head, gradient.view());
        checkAdded(gradient.values(), 2, matrixOf(expected["table_gradient"]).values());

        Matrix fresh(table.rows(), table.columns());
        relativeBiasBackward(arriving.view(), config, bothWays, head, fresh.view());
        checkSlopes(numbersIn(table), fresh.values(), [&] {
            Matrix bias(values.rows(), values.columns());
            relativeBias(table.view(), config, bothWays, head, bias.view());
            return weighed(arriving.values(), bias.values());
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
