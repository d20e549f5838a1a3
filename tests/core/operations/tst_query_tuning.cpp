// The factor of queries in layers without rotation (Llama 4), compared with the formula of
// modeling_llama4.py.
#include "core/operations/query_tuning.h"
#include "core_test.h"

TEST_CASE("the factor of a query grows in steps of many tokens") {
    const QueryTuning tuning{0.1f, 8192};
    CHECK(tuningFactor(tuning, 0) == 1);
    CHECK(tuningFactor(tuning, 8190) == 1); // 8191 ÷ 8192 is rounded down
    CHECK(tuningFactor(tuning, 8191) == doctest::Approx(1 + 0.1 * std::log(2.0)));
    CHECK(tuningFactor(tuning, 16382) == tuningFactor(tuning, 8191));
    CHECK(tuningFactor(tuning, 16383) == doctest::Approx(1 + 0.1 * std::log(3.0)));
    CHECK(tuningFactor({0.5f, 1}, 0) == doctest::Approx(1 + 0.5 * std::log(2.0)));
}

TEST_CASE("rows that are computed alone have the factors of their positions") {
    const QueryTuning tuning{0.4f, 2};
    Matrix x(5, 3), all(5, 3), last(2, 3);
    for (Index row = 0; row < 5; ++row)
        for (Index column = 0; column < 3; ++column)
            x(row, column) = static_cast<float>(row + column) - 2.5f;
    tuneQueries(x.view(), tuning, all.view());
    tuneQueries(x.view().rowBlock(3, 2), tuning, last.view(), 3);
    for (Index row = 0; row < 5; ++row)
        for (Index column = 0; column < 3; ++column) {
            CHECK(all(row, column) == x(row, column) * tuningFactor(tuning, row));
            if (row >= 3)
                CHECK(last(row - 3, column) == all(row, column));
        }
    CHECK(all(4, 0) != x(4, 0));
    tuneQueries(x.view(), tuning, x.view()); // in place
    CHECK(x == all);
}
