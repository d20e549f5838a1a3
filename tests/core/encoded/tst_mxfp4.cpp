// MXFP4: every 4-bit number with every scale, decoded and multiplied.
#include "core/kernels/kernels.h"
#include "core/tensor/mxfp4.h"
#include "core/tensor/shared_product.h"
#include "core/tensor/stacked_columns.h"
#include "core/transformer/model/parameter_matrix.h"
#include "random_blocks.h"

#include <cmath>
#include <cstring>

using namespace headlight::core;
using namespace headlight::core::test;

namespace {

constexpr double kFourBits[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};

struct Mxfp4 {
    Mxfp4(Random &random, Index count, int minScale, int scales)
        : blocks(static_cast<std::size_t>(count * kMxfp4Bytes)),
          exponents(static_cast<std::size_t>(count)) {
        for (std::byte &byte : blocks)
            byte = static_cast<std::byte>(random.next() % 256);
        for (std::byte &byte : exponents)
            byte = static_cast<std::byte>(
                minScale + static_cast<int>(random.next() % static_cast<std::uint64_t>(scales)));
    }
    StoragePointer storage() const {
        return mxfp4Storage(storageOf(blocks), storageOf(exponents), "here");
    }
    /// Returns number i, decoded as the specification defines it.
    double number(Index i) const {
        const auto byte = static_cast<unsigned>(blocks[static_cast<std::size_t>(i / 2)]);
        const unsigned bits = i % 2 == 0 ? byte & 15 : byte >> 4;
        const int exponent =
            static_cast<int>(exponents[static_cast<std::size_t>(i / kMxfp4Values)]) - 127;
        return std::ldexp((bits & 8 ? -1 : 1) * kFourBits[bits & 7], exponent);
    }

    std::vector<std::byte> blocks, exponents;
};

Parameter matrixOf(const StoragePointer &numbers, const NumberLayout &layout) {
    const auto made = ParameterMatrix::create(numbers, layout);
    REQUIRE(made.ok());
    return *made;
}

} // namespace

TEST_CASE("every number matches the specification, from the smallest scale to the largest") {
    Random random(1);
    const Mxfp4 made(random, 4000, 0, 255);
    const Parameter row = matrixOf(made.storage(), {NumberType::F32, 1, 128000, 0, 128000, 1});
    const Matrix all = *row->toMatrix();
    for (Index i = 0; i < all.columns(); ++i) {
        const auto wanted = static_cast<float>(made.number(i)); // ∞ if out of range
        CHECK(all(0, i) == wanted);
        if (i % 97 == 0)
            CHECK((*row)(0, i) == wanted);
    }
}

TEST_CASE("a NaN scale is an error that names its position") {
    Random random(2);
    Mxfp4 made(random, 6, 120, 8);
    made.exponents[4] = std::byte{255};
    const Parameter rows = matrixOf(made.storage(), {NumberType::F32, 2, 96, 0, 96, 1});
    const auto read = rows->toMatrix();
    REQUIRE_FALSE(read.ok());
    CHECK(read.error().where == "here");
    CHECK(read.error().what.text().find("block 4") != std::string::npos);
    CHECK(rows->number(0, 95).has_value());
    CHECK_FALSE(rows->number(1, 40).has_value());
}

TEST_CASE("products with encoded numbers have the bits of the decoded ones, on every processor") {
    Random random(3);
    for (const Kernels *kernels : supportedKernels())
        for (const Index lines : {1, 15, 16, 17, 33})
            for (const Index rows : {1, 2, 3, 17})
                for (const Index depth : {32, 288, 640}) {
                    CAPTURE(kernels->name);
                    CAPTURE(lines);
                    CAPTURE(rows);
                    CAPTURE(depth);
                    const Index between = 2 * depth; // lines of two matrices alternate
                    const Mxfp4 made(random, lines * between / kMxfp4Values, 121, 9);
                    const StoragePointer numbers = made.storage();
                    const auto encoded =
                        matrixOf(numbers, {NumberType::F32, depth, lines, depth, 1, between})
                            ->encoded({0, 0, depth, lines});
                    REQUIRE(encoded.has_value());
                    Matrix decoded(lines, depth), x(rows, depth);
                    Matrix expected(rows, lines), is(rows, lines);
                    for (Index line = 0; line < lines; ++line)
                        for (Index i = 0; i < depth; ++i)
                            decoded(line, i) =
                                static_cast<float>(made.number(line * between + depth + i));
                    for (Index r = 0; r < rows; ++r)
                        for (float &value : x.view().row(r))
                            value = static_cast<float>(random.normal());
                    const Factor floats{decoded.view(), true};
                    const Factor ofBlocks{{nullptr, lines, depth, 0}, true, &*encoded};
                    for (const Accumulate into : {Accumulate::Replace, Accumulate::Add}) {
                        sharedProduct(kernels->product, {x.view()}, floats, into, expected.view(),
                                      {});
                        sharedProduct(kernels->product, {x.view()}, ofBlocks, into, is.view(), {});
                        CHECK(std::memcmp(is.values().data(), expected.values().data(),
                                          is.values().size() * sizeof(float)) == 0);
                    }
                }
}

TEST_CASE("consecutive matrices become columns side by side, even if their parts alternate") {
    const Index matrices = 3, rows = 4, columns = 5;
    for (const Index parts : {1, 2, 3}) {
        std::vector<float> tensor(static_cast<std::size_t>(matrices * rows * columns * parts));
        for (std::size_t i = 0; i < tensor.size(); ++i)
            tensor[i] = static_cast<float>(i);
        const StoragePointer numbers = storageOf(tensor);
        for (Index part = 0; part < parts; ++part) {
            CAPTURE(parts);
            CAPTURE(part);
            const Parameter made = matrixOf(
                stackedColumns(numbers, NumberType::F32, {matrices, rows, columns, parts, part}),
                {NumberType::F32, rows, matrices * columns, 0, matrices * columns, 1});
            const Matrix all = *made->toMatrix();
            for (Index row = 0; row < rows; ++row)
                for (Index m = 0; m < matrices; ++m)
                    for (Index column = 0; column < columns; ++column) {
                        const auto wanted = static_cast<float>(
                            ((m * rows + row) * columns + column) * parts + part);
                        CHECK(all(row, m * columns + column) == wanted);
                        CHECK((*made)(row, m * columns + column) == wanted);
                    }
            // The parts side by side, as in Llama 4.
            const StackedColumns halves{matrices, rows, columns, parts, part, true};
            const Matrix apart =
                *matrixOf(stackedColumns(numbers, NumberType::F32, halves),
                          {NumberType::F32, rows, matrices * columns, 0, matrices * columns, 1})
                     ->toMatrix();
            for (Index row = 0; row < rows; ++row)
                for (Index m = 0; m < matrices; ++m)
                    for (Index column = 0; column < columns; ++column)
                        CHECK(apart(row, m * columns + column) ==
                              static_cast<float>(((m * rows + row) * parts + part) * columns +
                                                 column));
        }
    }
}
