// Matrices by name: random ones match session files, orthogonal ones are orthogonal.
#include "core/random.h"
#include "core/tensor/presets.h"
#include "core_test.h"

TEST_CASE("random numbers match those that a session file creates from the seed") {
    Random random(7);
    const Matrix matrix = randomMatrix(4, 3, 7);
    for (const float number : matrix.values())
        CHECK(number == static_cast<float>(random.normal() * (1 / std::sqrt(4.0))));
    CHECK(randomMatrix(4, 3, 7) == matrix);
    CHECK_FALSE(randomMatrix(4, 3, 8) == matrix);
    const Matrix uniform = randomMatrix(1, 1000, 3, RandomKind::Uniform, 2);
    for (const float number : uniform.values())
        CHECK(std::abs(number) <= 2.0f);
}

TEST_CASE("columns of an orthogonal matrix are at right angles, or its rows if they are fewer") {
    for (const auto &[rows, columns] : {std::pair<Index, Index>(8, 8), {9, 4}, {3, 7}, {64, 64}}) {
        const Matrix matrix = orthogonalMatrix(rows, columns, 5);
        CHECK(matrix == orthogonalMatrix(rows, columns, 5));
        const bool byRows = rows < columns;
        const Index count = std::min(rows, columns);
        for (Index i = 0; i < count; ++i)
            for (Index j = 0; j < count; ++j) {
                double product = 0;
                for (Index k = 0; k < std::max(rows, columns); ++k)
                    product += static_cast<double>(byRows ? matrix(i, k) : matrix(k, i)) *
                               static_cast<double>(byRows ? matrix(j, k) : matrix(k, j));
                CHECK(product == doctest::Approx(i == j ? 1 : 0).epsilon(1e-6));
            }
    }
}

TEST_CASE("a permutation keeps the rows, or the columns, and depends on the seed") {
    const Matrix matrix = randomMatrix(6, 5, 1);
    const Matrix rows = withRowsPermuted(matrix.view(), 2);
    const Matrix columns = withColumnsPermuted(matrix.view(), 2);
    CHECK_FALSE(rows == matrix);
    CHECK_FALSE(rows == withRowsPermuted(matrix.view(), 3));
    for (Index row = 0; row < 6; ++row) {
        int found = 0;
        for (Index other = 0; other < 6; ++other)
            found += std::ranges::equal(rows.view().row(row), matrix.view().row(other)) ? 1 : 0;
        CHECK(found == 1);
        auto a = std::vector<float>(columns.view().row(row).begin(), columns.view().row(row).end());
        auto b = std::vector<float>(matrix.view().row(row).begin(), matrix.view().row(row).end());
        std::ranges::sort(a);
        std::ranges::sort(b);
        CHECK(a == b);
    }
}

TEST_CASE("only a square matrix can be replaced by its transpose") {
    const Matrix square(2, 2, {1, 2, 3, 4}), wide(2, 3);
    const auto turned = transposed(square.view());
    CHECK(turned->values() == std::vector<float>{1, 3, 2, 4});
    CHECK_FALSE(transposed(wide.view()).ok());
}

TEST_CASE("a product that is too large is refused") {
    const Matrix matrix(1, 2, {1, 3e38f});
    CHECK((*multipliedBy(matrix.view(), 0.5f)).values() == std::vector<float>{0.5f, 1.5e38f});
    CHECK_FALSE(multipliedBy(matrix.view(), 2).ok());
    CHECK_FALSE(multipliedBy(matrix.view(), std::numeric_limits<float>::quiet_NaN()).ok());
}
