// Matrix products, compared with plain sums and with bits that follow from their definition.
#include "core/kernels/kernels.h"
#include "core/random.h"
#include "core/tensor/product.h"
#include "core/tensor/shared_product.h"
#include "core_test.h"

#include <stop_token>

namespace {

constexpr float kUnset = std::numeric_limits<float>::quiet_NaN();

/// Random numbers framed by NaN, so that reads outside the view are detected.
struct Framed {
    Framed(Index rows, Index columns, bool framed, std::uint64_t seed = 0)
        : frame(framed ? 3 : 0),
          matrix(rows + frame, columns + 2 * frame,
                 std::vector<float>(
                     static_cast<std::size_t>((rows + frame) * (columns + 2 * frame)), kUnset)),
          columnCount(columns) {
        Random random(seed);
        if (seed > 0)
            for (Index r = 0; r < rows; ++r)
                for (float &value : view().row(r))
                    value = static_cast<float>(random.normal());
    }

    MutableMatrixView view() {
        MutableMatrixView inner = matrix.view().columnBlock(frame, columnCount);
        inner.rows -= frame;
        return inner;
    }
    std::size_t set() const {
        return static_cast<std::size_t>(
            std::ranges::count_if(matrix.values(), [](float value) { return !std::isnan(value); }));
    }

    Index frame;
    Matrix matrix;
    Index columnCount;
};

using Entry = double (*)(MatrixView a, MatrixView b, Index k, Index row, Index column);

/// Checks that `out` is start + Σ_k entry(k), up to the rounding error of sums in 32 bits.
void checkProduct(MatrixView a, MatrixView b, Index depth, Entry entry, MatrixView out,
                  float start = 0) {
    double worst = 0;
    for (Index r = 0; r < out.rows; ++r)
        for (Index c = 0; c < out.columns; ++c) {
            double sum = static_cast<double>(start);
            for (Index k = 0; k < depth; ++k)
                sum += entry(a, b, k, r, c);
            const double error = std::abs(static_cast<double>(out(r, c)) - sum);
            worst = std::isnan(error) ? std::numeric_limits<double>::infinity()
                                      : std::max(worst, error);
        }
    CHECK(worst < 5e-6 * (1 + std::sqrt(static_cast<double>(depth))));
}

double plain(MatrixView a, MatrixView b, Index k, Index r, Index c) {
    return static_cast<double>(a(r, k)) * static_cast<double>(b(k, c));
}
double secondTransposed(MatrixView a, MatrixView b, Index k, Index r, Index c) {
    return static_cast<double>(a(r, k)) * static_cast<double>(b(c, k));
}

double firstTransposed(MatrixView a, MatrixView b, Index k, Index r, Index c) {
    return static_cast<double>(a(k, r)) * static_cast<double>(b(k, c));
}

struct Shape3 {
    Index rows, depth, columns;
};

/// Small, large, thin and wide shapes, with and without partial blocks.
const std::vector<Shape3> kShapes{{1, 1, 1},      {3, 5, 2},       {46, 46, 47},     {47, 47, 47},
                                  {46, 46, 48},   {1, 700, 150},   {1, 2, 60'000},   {130, 1, 800},
                                  {700, 300, 1},  {6, 768, 257},   {127, 65, 129},   {129, 64, 300},
                                  {5, 1025, 49},  {2, 2500, 97},   {260, 1100, 100}, {17, 96, 5000},
                                  {300, 30, 400}, {131, 1200, 433}};

} // namespace

TEST_CASE("products of many shapes, alone and within larger matrices") {
    for (const Shape3 &shape : kShapes)
        for (const bool framed : {false, true}) {
            const Index rows = shape.rows, depth = shape.depth, columns = shape.columns;
            CAPTURE(rows);
            CAPTURE(depth);
            CAPTURE(columns);
            CAPTURE(framed);
            const auto size = static_cast<std::size_t>(rows * columns);
            Framed a(rows, depth, framed, 1), b(depth, columns, framed, 2);
            Framed product(rows, columns, framed);
            multiply(a.view(), b.view(), product.view());
            checkProduct(a.view(), b.view(), depth, plain, product.view());
            CHECK(product.set() == size);

            Framed turned(columns, depth, framed, 3), scores(rows, columns, framed);
            multiplyTransposed(a.view(), turned.view(), scores.view());
            checkProduct(a.view(), turned.view(), depth, secondTransposed, scores.view());
            CHECK(scores.set() == size);

            Framed tall(depth, rows, framed, 4), sums(rows, columns, framed);
            for (Index r = 0; r < rows; ++r)
                std::ranges::fill(sums.view().row(r), 2.0f);
            addTransposedProduct(tall.view(), b.view(), sums.view());
            checkProduct(tall.view(), b.view(), depth, firstTransposed, sums.view(), 2);
            CHECK(sums.set() == size);
        }
}

TEST_CASE("a product without depth is zero, and one without rows or columns is empty") {
    Framed none(0, 500, false, 1), square(500, 500, false, 2), zero(500, 0, false);
    Framed out(500, 500, false);
    multiply(zero.view(), none.view(), out.view());
    CHECK(std::ranges::all_of(out.matrix.values(), [](float value) { return value == 0; }));
    Framed empty(0, 500, false);
    multiply(none.view(), square.view(), empty.view());
    multiplyTransposed(none.view(), square.view(), empty.view());
    CHECK(empty.matrix.values().empty());
    Framed sum(500, 500, false, 3);
    const Matrix before = sum.matrix;
    addTransposedProduct(none.view(), none.view(), sum.view());
    CHECK(sum.matrix == before);
}

TEST_CASE("infinity and NaN are kept by products of any size") {
    for (const Index size : {8, 200}) {
        Framed a(size, size, false, 1), b(size, size, false, 2), out(size, size, false);
        a.view()(0, 3) = std::numeric_limits<float>::infinity();
        a.view()(1, 3) = kUnset;
        b.view()(3, 0) = 0;
        b.view()(3, 1) = -1;
        multiply(a.view(), b.view(), out.view());
        CHECK(std::isnan(out.view()(0, 0)));
        CHECK(out.view()(0, 1) == -std::numeric_limits<float>::infinity());
        CHECK(std::isnan(out.view()(1, 5)));
        CHECK(std::isfinite(out.view()(2, 1)));
    }
}

TEST_CASE("a product has the same bits, whatever else is computed at the same time") {
    constexpr Index rows = 300, depth = 1100, columns = 500;
    Framed a(rows, depth, false, 1), b(depth, columns, false, 2), once(rows, columns, false);
    multiply(a.view(), b.view(), once.view());
    std::vector<Framed> again(4, Framed(rows, columns, true));
    {
        std::vector<std::jthread> threads;
        for (Framed &out : again)
            threads.emplace_back([&] {
                Framed shiftedA(rows, depth, true, 1), shiftedB(depth, columns, true, 2);
                multiply(shiftedA.view(), shiftedB.view(), out.view());
            });
    }
    for (Framed &out : again)
        for (Index r = 0; r < rows; ++r)
            REQUIRE(std::ranges::equal(out.view().row(r), once.view().row(r)));
}

TEST_CASE("a stopped product computes no more blocks") {
    std::stop_source source;
    source.request_stop();
    const std::stop_token stop = source.get_token();
    Framed a(300, 1100, false, 1), b(1100, 500, false, 2), turned(500, 1100, false, 3);
    Framed out(300, 500, false);
    multiply(a.view(), b.view(), out.view(), stop);
    CHECK(out.set() == 0);
    multiplyTransposed(a.view(), turned.view(), out.view(), stop);
    CHECK(out.set() == 0);
    Framed tall(1100, 300, false, 4), sum(300, 500, false, 5);
    const Matrix before = sum.matrix;
    addTransposedProduct(tall.view(), b.view(), sum.view(), stop);
    CHECK(sum.matrix == before);

    std::stop_source running;
    multiply(a.view(), b.view(), out.view(), running.get_token());
    CHECK(out.set() == 300 * 500);
}

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
                        CHECK(haveSameBits(again.view(), once.view()));
                    }
            }
        }
}

TEST_CASE("a range of rows or columns, and a row times a column, have the bits of the whole") {
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
            // The views have the strides of the complete matrices.
            multiply(a.view().rowBlock(row, height), b.view().columnBlock(column, width),
                     part.view());
            CHECK(haveSameBits(part.view(), expected.columnBlock(column, width)));
            multiplyTransposed(a.view().rowBlock(row, height),
                               turnedB.view().rowBlock(column, width), part.view());
            CHECK(haveSameBits(part.view(), expected.columnBlock(column, width)));
            for (Index r = 0; r < height; ++r)
                for (Index c = 0; c < width; ++c)
                    part(r, c) = base(row + r, column + c);
            addTransposedProduct(turnedA.view().columnBlock(row, height),
                                 b.view().columnBlock(column, width), part.view());
            const MatrixView expectedSums = MatrixView(sums.view()).rowBlock(row, height);
            CHECK(haveSameBits(part.view(), expectedSums.columnBlock(column, width)));
        }
    }
}
