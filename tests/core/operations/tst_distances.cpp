// Distances at their limits. Random transformers (tst_verified_models) compare the numbers with
// core/reference.
#include "core/operations/distance_bias.h"
#include "core/operations/distance_table.h"
#include "core_test.h"

TEST_CASE("relative buckets stay within the table, whatever sizes a file has") {
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

TEST_CASE("ALiBi's slopes match the authors', even if the number of heads is not a power of two") {
    // The example in section 3 of the paper (Press et al.): 1/2, 1/4, …, 1/256.
    CHECK(alibiSlopes(8) == std::vector<float>{0.5f, 0.25f, 0.125f, 0.0625f, 0.03125f, 0.015625f,
                                               0.0078125f, 0.00390625f});
    // As in the authors' code: the slopes for two heads, then every other slope for four heads.
    CHECK(alibiSlopes(3) == std::vector<float>{0.0625f, 0.00390625f, 0.25f});
}

TEST_CASE("DeBERTa's rows of distances, and the distances of rows") {
    const DistanceTable base{256, 512}; // DeBERTa-v3: make_log_bucket_position() of transformers
    const std::pair<Index, Index> published[] = {
        {0, 256},   {1, 257},   {-1, 255},  {128, 384}, {-128, 128}, {129, 385}, {131, 387},
        {200, 425}, {-200, 87}, {511, 511}, {-511, 1},  {600, 511},  {-600, 0},  {-5000, 0}};
    for (const auto &[distance, row] : published) {
        CAPTURE(distance);
        CHECK(distanceRow(distance, base) == row);
    }
    for (const DistanceTable &table : {base, DistanceTable{7, 0}, DistanceTable{4, 6}}) {
        const std::vector<Index> nearest = nearestDistances(table);
        CHECK(std::ssize(nearest) == table.rows());
        CHECK(nearest[static_cast<std::size_t>(table.span)] == 0);
        CHECK(std::ranges::is_sorted(nearest));
        for (Index distance = -1000; distance <= 1000; ++distance) {
            const Index row = distanceRow(distance, table);
            REQUIRE(row >= 0);
            REQUIRE(row < table.rows());
            CHECK(std::abs(nearest[static_cast<std::size_t>(row)]) <= std::abs(distance));
        }
    }
}
