// Products in fixed point: exact sums of integers, on every processor that supports them, with a
// bounded error.
#include "core/tensor/product.h"
#include "core/tensor/shared_product.h"
#include "core/transformer/run/step_parameter.h"
#include "encoded_fixture.h"

#include <array>
#include <limits>
#include <stop_token>

using namespace headlight::core;
using namespace headlight::core::test;

namespace {

constexpr float kInfinite = std::numeric_limits<float>::infinity();

std::vector<const GgufType *> fixedPointTypes(const ProductKernel &kernel) {
    std::vector<const GgufType *> types;
    for (const GgufType *type : allGgufTypes())
        if (usesFixedPoint(kernel, *type))
            types.push_back(type);
    return types;
}

enum class Activations { Normal, Outliers, Zeros, Tiny, Subnormal, Huge, Mixed };
constexpr std::array kAllActivations = {
    Activations::Normal,    Activations::Outliers, Activations::Zeros, Activations::Tiny,
    Activations::Subnormal, Activations::Huge,     Activations::Mixed};

Matrix activations(Random &random, Activations kind, Index rows, Index columns) {
    Matrix x = randomRows(random, rows, columns);
    for (Index r = 0; r < rows; ++r)
        for (Index c = 0; c < columns; ++c) {
            float &number = x(r, c);
            switch (kind) {
            case Activations::Normal:
                break;
            case Activations::Outliers:
                number *= c % 100 == 7 ? 1000.0f : 1.0f;
                break;
            case Activations::Zeros:
                number *= c % 300 < 260 ? 0.0f : -0.0f;
                break;
            case Activations::Tiny:
                number *= 0x1p-110f;
                break;
            case Activations::Subnormal:
                number *= 0x1p-135f;
                break;
            case Activations::Huge:
                number *= 0x1p100f;
                break;
            case Activations::Mixed: // each number has its own exponent
                number = std::ldexp(number, static_cast<int>(random.next() % 40) - 20);
                break;
            }
        }
    return x;
}

/// A slice's integers, by the definition in core/kernels/fixed_point.h.
struct Slice {
    explicit Slice(std::span<const float> numbers) {
        float most = 0;
        for (const float number : numbers)
            most = std::max(most, std::abs(number));
        while (most / unit > 8355711)
            unit *= 2;
        for (const float number : numbers) {
            const auto scaled = static_cast<float>(number / unit);
            integers.push_back(static_cast<std::int64_t>(scaled + std::copysign(0.5f, scaled)));
        }
    }
    double unit = 0x1p-149;
    std::vector<std::int64_t> integers;
};

double halfAt(const std::uint8_t *from) {
    float number = 0;
    findGgufType(1)->decode(from, &number); // F16
    return number;
}

/// Returns the product of a slice with the blocks of a line, number by number.
float fixedDot(const GgufType &type, const std::uint8_t *block, const Slice &a) {
    double sum = 0;
    const auto values = static_cast<std::int64_t>(type.values);
    for (std::size_t first = 0; first < a.integers.size();
         first += type.values, block += type.bytes) {
        const std::int64_t *const numbers = a.integers.data() + first;
        std::int64_t whole = 0, less = 0;
        double least = 0, scale = halfAt(block);
        if (type.name == "Q8_0") {
            for (std::int64_t i = 0; i < values; ++i)
                whole += static_cast<std::int8_t>(block[2 + i]) * numbers[i];
        } else {
            REQUIRE((type.name == "Q4_K" || type.name == "Q5_K"));
            const bool hasFifthBits = type.name == "Q5_K";
            const std::uint8_t *const six = block + 4, *const low =
                                                           block + (hasFifthBits ? 48 : 16);
            least = halfAt(block + 2);
            for (std::int64_t i = 0; i < values; ++i) {
                const std::int64_t part = i / 32, at = i % 32;
                int q = low[part / 2 * 32 + at] >> (4 * (part % 2)) & 15;
                if (hasFifthBits)
                    q |= (block[16 + at] >> part & 1) << 4;
                const int factor =
                    part < 4 ? six[part] & 63 : (six[part + 4] & 15) | six[part - 4] >> 6 << 4;
                const int minimum =
                    part < 4 ? six[part + 4] & 63 : six[part + 4] >> 4 | six[part] >> 6 << 4;
                whole += factor * q * numbers[i];
                less += minimum * numbers[i];
            }
        }
        sum += static_cast<double>(whole) * scale - static_cast<double>(less) * least;
    }
    return static_cast<float>(sum * a.unit);
}

Matrix fixedProduct(const GgufType &type, const Matrix &x, const EncodedMatrix &w) {
    Matrix out(x.rows(), w.lines);
    for (Index r = 0; r < x.rows(); ++r)
        for (Index k = 0; k < x.columns(); k += kFixedSlice) {
            const Index count = std::min(kFixedSlice, x.columns() - k);
            const Slice slice(std::span(x.view().data + r * x.view().stride + k,
                                        static_cast<std::size_t>(count)));
            for (Index line = 0; line < w.lines; ++line)
                out(r, line) += fixedDot(type,
                                         reinterpret_cast<const std::uint8_t *>(w.line(line)) +
                                             w.encoding->bytesOf(k),
                                         slice);
        }
    return out;
}

Index depthOf(Random &random, const GgufType &type) {
    return static_cast<Index>(type.values) *
           (1 + static_cast<Index>(random.next() % (type.values > 32 ? 4 : 20)));
}

void multiplyWith(const ProductKernel &kernel, MatrixView x, const EncodedMatrix &w,
                  MutableMatrixView out) {
    sharedProduct(kernel, {x}, {{nullptr, w.lines, w.numbers, 0}, true, &w}, Accumulate::Replace,
                  out, {});
}

} // namespace

TEST_CASE("products in fixed point have the bits of sums of integers, on every processor") {
    Random random(1);
    for (const Kernels *kernels : supportedKernels())
        for (const GgufType *type : fixedPointTypes(kernels->product))
            for (const Activations kind : kAllActivations)
                for (const Index lines : {1, 16, 17, 32, 70})
                    for (const Index rows : {1, 2, 3, 16, 35}) {
                        CAPTURE(kernels->name);
                        CAPTURE(type->name);
                        CAPTURE(static_cast<int>(kind));
                        CAPTURE(lines);
                        CAPTURE(rows);
                        const Index depth = depthOf(random, *type);
                        const Encoded w(random, *type, lines, depth, 1);
                        const Matrix x = activations(random, kind, rows, depth);
                        Matrix is(rows, lines);
                        multiplyWith(kernels->product, x.view(), w.matrix, is.view());
                        CHECK(sameBits(is, fixedProduct(*type, x, w.matrix)));
                    }
}

TEST_CASE("the error is bounded by the largest number of each slice") {
    Random random(2);
    const ProductKernel &kernel = fastestKernels().product;
    for (const GgufType *type : fixedPointTypes(kernel))
        for (const Activations kind : kAllActivations) {
            CAPTURE(type->name);
            CAPTURE(static_cast<int>(kind));
            const Index lines = 64, rows = 5, depth = 2048;
            const Encoded w(random, *type, lines, depth, 0);
            const Matrix x = activations(random, kind, rows, depth);
            Matrix is(rows, lines);
            multiplyWith(kernel, x.view(), w.matrix, is.view());
            double size = 0, worst = 0;
            for (Index r = 0; r < rows; ++r)
                for (Index line = 0; line < lines; ++line) {
                    double exact = 0, allowed = 0;
                    for (Index k = 0; k < depth; k += kFixedSlice) {
                        double most = 0, weights = 0;
                        for (Index i = k; i < k + kFixedSlice; ++i) {
                            exact += double(x(r, i)) * w.decoded(line, i);
                            most = std::max(most, std::abs(double(x(r, i))));
                            weights += std::abs(double(w.decoded(line, i)));
                        }
                        allowed += most * weights;
                    }
                    const double error = std::abs(is(r, line) - exact);
                    // Allows half a unit for each number, one rounding for the sum of each slice
                    // and for each addition, and the rounding of a subnormal result.
                    const double roundings = 2.01 + 1 + double(depth / kFixedSlice);
                    CHECK(error <= roundings * 0x1p-24 * allowed + 0x1p-146);
                    size = std::max(size, std::abs(exact));
                    worst = std::max(worst, error);
                }
            CHECK(worst <= 2e-5 * size + 0x1p-146);
        }
}

TEST_CASE("a row with infinity or NaN is multiplied as floats, and does not affect other rows") {
    Random random(3);
    const Index lines = 50, rows = 21, depth = 512;
    for (const Kernels *kernels : supportedKernels())
        for (const GgufType *type : fixedPointTypes(kernels->product)) {
            CAPTURE(kernels->name);
            CAPTURE(type->name);
            const Encoded w(random, *type, lines, depth, 0);
            Matrix x = randomRows(random, rows, depth);
            Matrix without(rows, lines), is(rows, lines), floats(rows, lines);
            multiplyWith(kernels->product, x.view(), w.matrix, without.view());
            x(2, 300) = kInfinite;
            x(3, 5) = -kInfinite;
            x(3, 400) = kInfinite;
            x(20, 511) = std::numeric_limits<float>::quiet_NaN();
            multiplyWith(kernels->product, x.view(), w.matrix, is.view());
            sharedProduct(kernels->product, {x.view()}, {w.decoded.view(), true},
                          Accumulate::Replace, floats.view(), {});
            Index wrong = 0, infinite = 0;
            for (Index r = 0; r < rows; ++r)
                for (Index line = 0; line < lines; ++line) {
                    const bool isFinite = r != 2 && r != 3 && r != 20;
                    const float expected = isFinite ? without(r, line) : floats(r, line);
                    const float number = is(r, line);
                    wrong += number != expected && !(number != number && expected != expected);
                    infinite += std::isinf(number);
                }
            CHECK(wrong == 0);
            CHECK(infinite > 0);
        }
}

TEST_CASE("a row has the same bits alone, in parts and among others") {
    Random random(4);
    const Index lines = 1100, rows = 400, depth = 768;
    const ProductKernel &kernel = fastestKernels().product;
    for (const GgufType *type : fixedPointTypes(kernel)) {
        CAPTURE(type->name);
        const Encoded w(random, *type, lines, depth, 0);
        const Matrix x = randomRows(random, rows, depth);
        Matrix all(rows, lines);
        multiplyEncoded(x.view(), w.matrix, true, all.view());
        for (const Index r : {0, 15, 16, 383, 384, 399}) {
            Matrix alone(1, lines), inParts(1, lines);
            multiplyEncoded(x.view().rowBlock(r, 1), w.matrix, true, alone.view());
            const Factor encoded{{nullptr, lines, depth, 0}, true, &w.matrix};
            for (Index k = 0; k < depth; k += kFixedSlice) // also splits the columns in two
                for (const Index first : {0, 41})
                    sharedProduct(kernel, {x.view().rowBlock(r, 1).columnBlock(k, kFixedSlice)},
                                  encoded.rowBlock(k, kFixedSlice)
                                      .columnBlock(first, first ? lines - 41 : 41),
                                  k ? Accumulate::Add : Accumulate::Replace,
                                  inParts.view().columnBlock(first, first ? lines - 41 : 41), {});
            CHECK(sameBits(inParts, alone));
            CHECK(std::ranges::equal(alone.view().row(0), all.view().row(r)));
        }
    }
}

TEST_CASE("an edit of an encoded matrix changes only its column of the product") {
    Random random(5);
    const Index lines = 40, depth = 512;
    for (const GgufType *type : allGgufTypes()) {
        CAPTURE(type->name);
        const Encoded w(random, *type, lines, depth, 0);
        const auto parameter =
            ParameterMatrix::create(decodedBlocks(storageOf(w.bytes), *type, "somewhere"),
                                    {NumberType::F32, depth, lines, 0, 1, depth});
        REQUIRE(parameter.ok());
        const Parameter edited =
            withCells(*parameter, {{5, 7, 0.25f}, {9, 8, 2}, {100, 39, 1}, {500, 7, -1}});
        for (const Index rows : {1, 5}) {
            const Matrix x = randomRows(random, rows, depth);
            Matrix before(rows, lines), after(rows, lines), floats(rows, lines);
            multiply(x.view(), StepParameter(*parameter, ParameterId{}), before.view(), {});
            multiply(x.view(), StepParameter(edited, ParameterId{}), after.view(), {});
            multiply(x.view(), edited->toMatrix()->view(), floats.view());
            for (Index r = 0; r < rows; ++r)
                for (Index line = 0; line < lines; ++line) {
                    const bool isEdited = line == 7 || line == 8 || line == 39;
                    CHECK(after(r, line) == (isEdited ? floats(r, line) : before(r, line)));
                }
        }
    }
}
