// An element of a product depends only on its row of a and its column of b, to the last bit.
#include "core/kernels/kernels.h"
#include "core/random.h"
#include "core/tensor/product.h"
#include "core/tensor/shared_product.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <vector>

using namespace headlight::core;

namespace {

Matrix randomMatrix(Index rows, Index columns, Random &random) {
    Matrix matrix(rows, columns);
    for (Index r = 0; r < rows; ++r)
        for (float &value : matrix.view().row(r))
            value = static_cast<float>(random.normal());
    return matrix;
}

Matrix transposed(const Matrix &matrix) {
    Matrix turned(matrix.columns(), matrix.rows());
    for (Index r = 0; r < matrix.rows(); ++r)
        for (Index c = 0; c < matrix.columns(); ++c)
            turned(c, r) = matrix(r, c);
    return turned;
}

bool sameBits(MatrixView x, MatrixView y) {
    for (Index r = 0; r < x.rows; ++r)
        if (std::memcmp(x.row(r).data(), y.row(r).data(), x.row(r).size_bytes()) != 0)
            return false;
    return x.rows == y.rows && x.columns == y.columns;
}

/// Computes the element by its definition: blocks of 256 products, each summed in order.
float element(const ProductKernel &kernel, const Matrix &a, const Matrix &b, Index r, Index c,
              Accumulate into, float base) {
    const bool fused = &kernel != &supportedKernels().front()->product;
    for (Index k = 0; k < a.columns();) {
        float sum = 0;
        for (const Index end = std::min(a.columns(), k + kProductDepth); k < end; ++k) {
            const float x = a(r, k), y = b(k, c);
            const volatile float product =
                x * y; // rounded, so that the compiler cannot fuse it with the sum
            sum = fused ? std::fma(x, y, sum) : product + sum;
        }
        base = into == Accumulate::Replace && k <= kProductDepth ? sum : base + sum;
    }
    return base;
}

struct ProductShape {
    Index rows, depth, columns;
};

/// Returns shapes on both sides of every limit that selects an algorithm: tiles, panels, blocks of
/// the depth, few rows, blocks, threads.
std::vector<ProductShape> shapes(Random &random) {
    std::vector<ProductShape> all{{1, 1, 1},      {4, 4, 4},     {1, 256, 64},    {1, 257, 65},
                                  {4, 300, 33},   {5, 300, 33},  {13, 513, 31},   {96, 64, 96},
                                  {97, 65, 97},   {385, 20, 50}, {7, 1030, 1100}, {130, 270, 515},
                                  {390, 260, 530}};
    for (int i = 0; i < 40; ++i)
        all.push_back({1 + static_cast<Index>(random.uniform() * 40),
                       1 + static_cast<Index>(random.uniform() * 600),
                       1 + static_cast<Index>(random.uniform() * 70)});
    return all;
}

} // namespace

TEST_CASE("an element is the sum of its products in the order of the depth, and nothing else") {
    Random random(11);
    for (const Kernels *set : supportedKernels())
        for (const auto &[rows, depth, columns] : shapes(random)) {
            CAPTURE(set->name);
            const ProductKernel *kernel = &set->product;
            CAPTURE(rows);
            CAPTURE(depth);
            CAPTURE(columns);
            const Matrix a = randomMatrix(rows, depth, random);
            const Matrix b = randomMatrix(depth, columns, random);
            const Matrix turnedA = transposed(a), turnedB = transposed(b);
            const Matrix base = randomMatrix(rows, columns, random);
            for (const Accumulate into : {Accumulate::Replace, Accumulate::Add}) {
                Matrix once = base;
                productBlock(*kernel, {a.view()}, {b.view()}, into, once.view(), {});
                const Index step = 1 + rows * columns / 500;
                Index differing = 0;
                for (Index i = 0; i < rows * columns; i += step) {
                    const Index r = i / columns, c = i % columns;
                    const float expected = element(*kernel, a, b, r, c, into, base(r, c));
                    differing += std::bit_cast<std::uint32_t>(once(r, c)) !=
                                 std::bit_cast<std::uint32_t>(expected);
                }
                CHECK(differing == 0);
                for (const bool turnA : {false, true})
                    for (const bool turnB : {false, true}) {
                        Matrix again = base;
                        sharedProduct(*kernel,
                                      turnA ? Factor{turnedA.view(), true} : Factor{a.view()},
                                      turnB ? Factor{turnedB.view(), true} : Factor{b.view()}, into,
                                      again.view(), {});
                        CHECK(sameBits(again.view(), once.view()));
                    }
            }
        }
}

TEST_CASE("a range of rows or columns, and a product of one row and one column, have its bits") {
    Random random(12);
    for (const auto &[rows, depth, columns] : shapes(random)) {
        CAPTURE(rows);
        CAPTURE(depth);
        CAPTURE(columns);
        const Matrix a = randomMatrix(rows, depth, random);
        const Matrix b = randomMatrix(depth, columns, random);
        const Matrix turnedA = transposed(a), turnedB = transposed(b);
        const Matrix base = randomMatrix(rows, columns, random);
        Matrix whole(rows, columns), sums = base;
        multiply(a.view(), b.view(), whole.view());
        addTransposedProduct(turnedA.view(), b.view(), sums.view());
        for (int i = 0; i < 20; ++i) {
            const auto below = [&](Index count) {
                return std::min(count - 1,
                                static_cast<Index>(random.uniform() * static_cast<double>(count)));
            };
            const Index row = below(rows), column = below(columns);
            const bool one = i < 10;
            const Index height = one ? 1 : 1 + below(rows - row);
            const Index width = one ? 1 : 1 + below(columns - column);
            const MatrixView expected = MatrixView(whole.view()).rowBlock(row, height);
            Matrix part(height, width);
            // The views have the strides of the whole matrices.
            multiply(a.view().rowBlock(row, height), b.view().columnBlock(column, width),
                     part.view());
            CHECK(sameBits(part.view(), expected.columnBlock(column, width)));
            multiplyTransposed(a.view().rowBlock(row, height),
                               turnedB.view().rowBlock(column, width), part.view());
            CHECK(sameBits(part.view(), expected.columnBlock(column, width)));
            for (Index r = 0; r < height; ++r)
                for (Index c = 0; c < width; ++c)
                    part(r, c) = base(row + r, column + c);
            addTransposedProduct(turnedA.view().columnBlock(row, height),
                                 b.view().columnBlock(column, width), part.view());
            const MatrixView expectedSums = MatrixView(sums.view()).rowBlock(row, height);
            CHECK(sameBits(part.view(), expectedSums.columnBlock(column, width)));
        }
    }
}

TEST_CASE("equal rows and equal columns give equal elements, wherever they stand") {
    Random random(13);
    for (const Index depth : {3, 8, 64, 100, 300}) {
        CAPTURE(depth);
        constexpr Index kQueries = 29, kKeys = 61;
        Matrix queries = randomMatrix(kQueries, depth, random);
        Matrix keys = randomMatrix(kKeys, depth, random);
        for (const Index equal : {6, 28})
            std::ranges::copy(queries.view().row(1), queries.view().row(equal).begin());
        for (const Index equal : {17, 47, 48, 60})
            std::ranges::copy(keys.view().row(2), keys.view().row(equal).begin());
        Matrix scores(kQueries, kKeys);
        multiplyTransposed(queries.view(), keys.view(), scores.view());
        for (Index r = 0; r < kQueries; ++r)
            for (const Index equal : {17, 47, 48, 60})
                CHECK(scores(r, equal) == scores(r, 2));
        for (const Index equal : {6, 28})
            CHECK(std::ranges::equal(scores.view().row(equal), scores.view().row(1)));
    }
}

TEST_CASE("processors that multiply and add with one rounding give the same bits") {
    Random random(14);
    const Matrix a = randomMatrix(37, 700, random), b = randomMatrix(700, 91, random);
    std::vector<Matrix> results;
    for (const Kernels *set : supportedKernels().subspan(1)) {
        results.emplace_back(37, 91);
        sharedProduct(set->product, {a.view()}, {b.view()}, Accumulate::Replace,
                      results.back().view(), {});
    }
    for (const Matrix &result : results)
        CHECK(sameBits(result.view(), results.front().view()));
}
