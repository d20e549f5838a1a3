// The pyramid of a large matrix: every block compared with a plain loop.
#include "core/analysis/matrix_pyramid.h"
#include "tests/core/core_test.h"
#include "tests/core/random_models.h"

namespace {

Matrix randomNumbers(Random &random, Index rows, Index columns) {
    Matrix matrix(rows, columns);
    for (Index row = 0; row < rows; ++row)
        for (float &number : matrix.view().row(row))
            number = oneIn(random, 50) ? std::numeric_limits<float>::quiet_NaN()
                                       : static_cast<float>(random.normal());
    return matrix;
}

float largestIn(std::span<const float> row, const Mask *mask, Index index) {
    float largest = 0;
    for (std::size_t column = 0; column < row.size(); ++column)
        if (std::isfinite(row[column]) &&
            !(mask && mask->hidden(index, static_cast<Index>(column))))
            largest = std::max(largest, std::abs(row[column]));
    return largest;
}

} // namespace

TEST_CASE("each block has its strongest number and the mean of its visible ones") {
    int empty = 0;
    for (std::uint64_t seed = 0; seed < 24; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        const Index rows = between(random, 1, 300), columns = between(random, 1, 300);
        const Matrix numbers = randomNumbers(random, rows, columns);
        const Mask causal(MaskLayers{CausalMask{}}, 0, rows, columns, columns);
        const Mask *const mask = seed % 2 == 0 ? nullptr : &causal;
        const bool ofRows = seed % 3 == 0, isMean = seed % 4 >= 2;
        const BlockNumber blocks = isMean ? BlockNumber::Mean : BlockNumber::Largest;
        const MatrixPyramid pyramid =
            valueOf(MatrixPyramid::of(numbers.view(), mask, blocks, ofRows));
        CHECK(pyramid.blocks() == blocks);
        CHECK(pyramid.isOfRows() == ofRows);
        REQUIRE(!pyramid.levels().empty());
        Index side = 4;
        for (const MatrixPyramid::Level &level : pyramid.levels()) {
            CHECK(level.side == side);
            side *= 2;
            REQUIRE(level.numbers.rows() == (rows + level.side - 1) / level.side);
            REQUIRE(level.numbers.columns() == (columns + level.side - 1) / level.side);
            for (Index i = 0; i < level.numbers.rows(); ++i)
                for (Index j = 0; j < level.numbers.columns(); ++j) {
                    double strongest = -1, sum = 0;
                    int count = 0;
                    for (Index r = i * level.side; r < std::min(rows, (i + 1) * level.side); ++r) {
                        const float most = largestIn(numbers.view().row(r), mask, r);
                        for (Index c = j * level.side; c < std::min(columns, (j + 1) * level.side);
                             ++c) {
                            const auto number = static_cast<double>(numbers(r, c)) /
                                                (ofRows && most > 0 ? double(most) : 1);
                            if (std::isnan(number) || (mask && mask->hidden(r, c)))
                                continue;
                            strongest = std::max(strongest, std::abs(number));
                            sum += number;
                            ++count;
                        }
                    }
                    if (isMean)
                        CHECK(int(level.countsOf(i)[std::size_t(j)]) == count);
                    if (count == 0) {
                        CHECK(std::isnan(level.numbers(i, j)));
                        ++empty;
                        continue;
                    }
                    const auto number = static_cast<double>(level.numbers(i, j));
                    if (isMean)
                        CHECK(number == doctest::Approx(sum / count).epsilon(1e-4));
                    else
                        CHECK(std::abs(number) == doctest::Approx(strongest).epsilon(1e-6));
                }
        }
        const MatrixPyramid::Level &last = pyramid.levels().back();
        CHECK(std::max(last.numbers.rows(), last.numbers.columns()) <= 75);
    }
    CHECK(empty > 100);
}

TEST_CASE(
    "the level for a pixel has blocks that fit into it, and all take a twelfth of the memory") {
    const Matrix numbers(1024, 1024);
    const MatrixPyramid pyramid =
        valueOf(MatrixPyramid::of(numbers.view(), nullptr, BlockNumber::Largest, false));
    CHECK(pyramid.levelFor(3.9) == nullptr);
    CHECK(pyramid.levelFor(4)->side == 4);
    CHECK(pyramid.levelFor(7.9)->side == 4);
    CHECK(pyramid.levelFor(1e9)->side == pyramid.levels().back().side);
    CHECK(pyramid.bytes() < 1024 * 1024 * sizeof(float) * 0.084);
    const MatrixPyramid means =
        valueOf(MatrixPyramid::of(numbers.view(), nullptr, BlockNumber::Mean, false));
    CHECK(means.bytes() < 1024 * 1024 * sizeof(float) * 0.126);
}

TEST_CASE("the counts of the largest blocks are exact") {
    const Index columns = 128 * 70; // so wide that the last level has blocks of 128 × 128
    Matrix numbers(130, columns);
    for (Index row = 0; row < numbers.rows(); ++row)
        std::ranges::fill(numbers.view().row(row), 1.0f);
    numbers(0, 0) = std::numeric_limits<float>::quiet_NaN();
    const MatrixPyramid pyramid =
        valueOf(MatrixPyramid::of(numbers.view(), nullptr, BlockNumber::Mean, false));
    const MatrixPyramid::Level &last = pyramid.levels().back();
    CHECK(last.side == MatrixPyramid::kMaxSide);
    CHECK(last.numbers.columns() == 70);
    CHECK(int(last.countsOf(0)[0]) == 128 * 128 - 1);
    CHECK(int(last.countsOf(0)[1]) == 128 * 128);
    CHECK(int(last.countsOf(1)[69]) == 2 * 128);
}

TEST_CASE("building can be stopped, and an empty matrix has no pyramid") {
    std::stop_source stop;
    stop.request_stop();
    const Matrix numbers(64, 64), nothing;
    CHECK_FALSE(
        MatrixPyramid::of(numbers.view(), nullptr, BlockNumber::Largest, false, stop.get_token()));
    CHECK(valueOf(MatrixPyramid::of(nothing.view(), nullptr, BlockNumber::Largest, false))
              .levelFor(100) == nullptr);
}
