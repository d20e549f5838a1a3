// Products with encoded weights have the bits of products with decoded weights, except in fixed
// point, where they are only close (tst_fixed_point).
#include "core/formats/gguf/gguf_file.h"
#include "core/kernels/kernels.h"
#include "core/tensor/product.h"
#include "core/tensor/reordered_rows.h"
#include "core/tensor/shared_product.h"
#include "core/transformer/run/step_parameter.h"
#include "encoded_fixture.h"

#include <algorithm>
#include <array>
#include <stop_token>

using namespace headlight::core;
using namespace headlight::core::test;

namespace {

constexpr float kUntouched = -77;

} // namespace

TEST_CASE("every encoding, on every processor, gives the bits of the decoded weights") {
    Random random(1);
    for (const Kernels *kernels : supportedKernels())
        for (const GgufType *type : allGgufTypes())
            for (const Index lines : {1, 15, 16, 17, 33, 70})
                for (const Index rows : {1, 2, 3, 16, 17}) {
                    CAPTURE(kernels->name);
                    CAPTURE(type->name);
                    CAPTURE(lines);
                    CAPTURE(rows);
                    const bool ofBlocks = type->values > 1;
                    const Index depth = ofBlocks ? static_cast<Index>(type->values) *
                                                       (1 + static_cast<Index>(random.next() % 9))
                                                 : 1 + static_cast<Index>(random.next() % 600);
                    const Encoded w(random, *type, lines, depth, 1);
                    const Matrix x = randomRows(random, rows, depth);
                    Matrix expected(rows, lines), is(rows, lines);
                    const Factor floats{w.decoded.view(), true};
                    const Factor encoded{{nullptr, lines, depth, 0}, true, &w.matrix};
                    for (const Accumulate into : {Accumulate::Replace, Accumulate::Add}) {
                        sharedProduct(kernels->product, {x.view()}, floats, into, expected.view(),
                                      {});
                        sharedProduct(kernels->product, {x.view()}, encoded, into, is.view(), {});
                        CHECK(agrees(kernels->product, *type, is, expected));
                    }
                    if (ofBlocks)
                        continue;
                    const Matrix y = randomRows(random, rows, lines);
                    Matrix expectedOther(rows, depth), other(rows, depth);
                    sharedProduct(kernels->product, {y.view()}, {w.decoded.view()},
                                  Accumulate::Replace, expectedOther.view(), {});
                    sharedProduct(kernels->product, {y.view()},
                                  {{nullptr, lines, depth, 0}, false, &w.matrix},
                                  Accumulate::Replace, other.view(), {});
                    CHECK(sameBits(other, expectedOther));
                }
}

TEST_CASE("one or two rows times long lines, which are rows, have the bits of decoded weights") {
    // More columns than a block, more lines than a partial sum, and remainders of both.
    constexpr Index lines = 530, columns = 1031;
    Random random(9);
    for (const GgufType *type : allGgufTypes()) {
        if (type->values > 1)
            continue;
        CAPTURE(type->name);
        const Encoded w(random, *type, lines, columns, 1);
        const Factor encoded{{nullptr, lines, columns, 0}, false, &w.matrix};
        for (const Kernels *kernels : supportedKernels())
            for (const Index rows : {1, 2}) {
                CAPTURE(kernels->name);
                CAPTURE(rows);
                const Matrix x = randomRows(random, rows, lines);
                Matrix expected(rows, columns), is(rows, columns);
                for (const Accumulate into : {Accumulate::Replace, Accumulate::Add}) {
                    sharedProduct(kernels->product, {x.view()}, {w.decoded.view()}, into,
                                  expected.view(), {});
                    sharedProduct(kernels->product, {x.view()}, encoded, into, is.view(), {});
                    CHECK(sameBits(is, expected));
                }
                // Multiplies only some of the columns, such as those of one head.
                Matrix expectedPart(rows, 77), part(rows, 77);
                sharedProduct(kernels->product, {x.view().columnBlock(3, 300)},
                              {w.decoded.view().rowBlock(5, 300).columnBlock(41, 77)},
                              Accumulate::Replace, expectedPart.view(), {});
                sharedProduct(kernels->product, {x.view().columnBlock(3, 300)},
                              encoded.rowBlock(5, 300).columnBlock(41, 77), Accumulate::Replace,
                              part.view(), {});
                CHECK(sameBits(part, expectedPart));
                std::stop_source source;
                source.request_stop();
                is = Matrix(
                    rows, columns,
                    std::vector<float>(static_cast<std::size_t>(rows * columns), kUntouched));
                sharedProduct(kernels->product, {x.view()}, encoded, Accumulate::Replace, is.view(),
                              source.get_token());
                CHECK(std::ranges::count(is.values(), kUntouched) == rows * columns);
            }
    }
}

TEST_CASE("every encoding but F64 has its own kernel on every processor with kernels") {
    for (const Kernels *kernels : supportedKernels()) {
        if (!kernels->product.encoded)
            continue;
        CAPTURE(kernels->name);
        std::vector<EncodedDots> found;
        for (const GgufType *type : allGgufTypes()) {
            CAPTURE(type->name);
            const Encoding encoding = type->encoding.kernel;
            CHECK((encoding == Encoding::Other) == (type->name == "F64"));
            if (encoding == Encoding::Other)
                continue;
            const EncodedKernel &kernel = kernels->product.encoded[static_cast<int>(encoding)];
            CHECK(static_cast<bool>(kernel.dots[0]));
            CHECK(std::ranges::count(found, kernel.dots[0]) == 0);
            found.push_back(kernel.dots[0]);
        }
    }
}

// A sum hides the last bits of its small terms, so here each product has one term.
TEST_CASE("each number of a block is decoded exactly, even the smallest and the largest integers") {
    Random random(6);
    const Index lines = kEncodedDots + 1; // one line that is decoded to a panel
    for (const GgufType *type : allGgufTypes()) {
        CAPTURE(type->name);
        const auto depth = static_cast<Index>(type->values > 1 ? type->values : 9);
        Encoded w(random, *type, lines, depth, 0);
        const Index lineBytes = Encoded::bytesOfLine(*type, depth);
        for (Index line = 0; line < 8 && type->values > 1; ++line) {
            // All bytes are the same except in the scales, whose signs vary.
            const std::byte same = std::array{std::byte(0x00), std::byte(0xFF), std::byte(0x7F),
                                              std::byte(0x80)}[static_cast<std::size_t>(line % 4)];
            const auto kept = [&](Index at) {
                return std::ranges::any_of(type->scales, [&](std::uint8_t scale) {
                    const Index within = at % static_cast<Index>(type->bytes);
                    return within == scale || within == scale + 1;
                });
            };
            for (Index at = 0; at < lineBytes; ++at)
                if (!kept(at))
                    w.bytes[static_cast<std::size_t>(line * lineBytes + at)] = same;
            w.decodeLine(*type, line);
        }
        for (const Kernels *kernels : supportedKernels())
            for (const Index rows : {1, 2, 16}) {
                CAPTURE(kernels->name);
                CAPTURE(rows);
                Index wrong = 0;
                for (Index first = 0; first < depth; first += rows) {
                    Matrix x(rows, depth), is(rows, lines);
                    for (Index r = 0; r < rows && first + r < depth; ++r)
                        x(r, first + r) = 1;
                    sharedProduct(kernels->product, {x.view()},
                                  {{nullptr, lines, depth, 0}, true, &w.matrix},
                                  Accumulate::Replace, is.view(), {});
                    for (Index r = 0; r < rows && first + r < depth; ++r)
                        for (Index line = 0; line < lines; ++line)
                            wrong += is(r, line) != w.decoded(line, first + r);
                }
                CHECK(wrong == 0);
            }
    }
}

TEST_CASE("large products are shared among threads, with the same bits") {
    Random random(2);
    for (const GgufType *type : allGgufTypes())
        for (const Index rows : {1, 16, 400}) {
            CAPTURE(type->name);
            CAPTURE(rows);
            const Encoded w(random, *type, 1100, 768, 0);
            const Matrix x = randomRows(random, rows, 768);
            Matrix expected(rows, 1100), is(rows, 1100);
            multiplyTransposed(x.view(), w.decoded.view(), expected.view());
            multiplyEncoded(x.view(), w.matrix, true, is.view());
            CHECK(agrees(fastestKernels().product, *type, is, expected));
        }
}

TEST_CASE("infinity, NaN and the smallest numbers are decoded as they are") {
    for (const std::uint32_t number :
         {0u, 1u, 30u}) { // F32, F16, BF16, with every value of the upper 16 bits
        const GgufType &type = *findGgufType(number);
        CAPTURE(type.name);
        const Index lines = 1 << 10, numbers = 1 << 6;
        std::vector<std::byte> bytes(static_cast<std::size_t>(lines * numbers) * type.bytes);
        Matrix decoded(lines, numbers);
        for (Index i = 0; i < lines * numbers; ++i) {
            std::byte *const at = bytes.data() + i * static_cast<Index>(type.bytes);
            at[type.bytes - 2] = static_cast<std::byte>(i);
            at[type.bytes - 1] = static_cast<std::byte>(i >> 8);
            type.decode(reinterpret_cast<const std::uint8_t *>(at),
                        &decoded(i / numbers, i % numbers));
        }
        const EncodedMatrix matrix{&type.encoding, lines, numbers, bytes.data(),
                                   numbers * static_cast<Index>(type.bytes)};
        for (const Index rows : {1, 3}) {
            for (Index k = 0; k < numbers;
                 ++k) { // x has a single 1, so only column k of the matrix counts
                Matrix x(rows, numbers), expected(rows, lines), is(rows, lines);
                x(0, k) = 1;
                multiplyTransposed(x.view(), decoded.view(), expected.view());
                multiplyEncoded(x.view(), matrix, true, is.view());
                REQUIRE(sameBits(is, expected));
            }
            Matrix x(rows, lines), expected(rows, numbers), is(rows, numbers);
            x(0, lines / 3) = 1;
            multiply(x.view(), decoded.view(), expected.view());
            multiplyEncoded(x.view(), matrix, false, is.view());
            CHECK(sameBits(is, expected));
        }
    }
}

TEST_CASE("a stopped product with encoded weights computes no more blocks") {
    Random random(3);
    std::stop_source source;
    source.request_stop();
    for (const GgufType *type : allGgufTypes())
        for (const Index rows : {1, 20}) {
            const Encoded w(random, *type, 600, 768, 0);
            const Matrix x = randomRows(random, rows, 768);
            Matrix out(rows, 600,
                       std::vector<float>(static_cast<std::size_t>(rows * 600), kUntouched));
            multiplyEncoded(x.view(), w.matrix, true, out.view(), source.get_token());
            CHECK(std::ranges::count(out.values(), kUntouched) == rows * 600);
        }
}

TEST_CASE("an encoded parameter multiplies like its numbers, whatever the order of its rows") {
    Random random(4);
    const Index lines = 40, depth = 512;
    for (const GgufType *type : allGgufTypes()) {
        CAPTURE(type->name);
        const Encoded w(random, *type, lines, depth, 0);
        StoragePointer storage = decodedBlocks(storageOf(w.bytes), *type, "somewhere");
        std::vector<std::uint32_t> order;
        for (Index line = 0; line < lines; ++line)
            order.push_back(static_cast<std::uint32_t>((7 * line + 3) % lines));
        for (const bool isReordered : {false, true}) {
            if (isReordered)
                storage = withRowsInOrder(storage, static_cast<std::uint64_t>(depth) * 4, order);
            Matrix numbers(depth, lines); // [in, out]
            for (Index line = 0; line < lines; ++line)
                for (Index k = 0; k < depth; ++k)
                    numbers(k, line) =
                        w.decoded(isReordered ? order[static_cast<std::size_t>(line)] : line, k);
            auto parameter =
                ParameterMatrix::create(storage, {NumberType::F32, depth, lines, 0, 1, depth});
            REQUIRE(parameter.ok());
            REQUIRE((*parameter)->encoded((*parameter)->whole()));
            for (const bool isEdited : {false, true}) {
                if (isEdited) {
                    *parameter = withCells(*parameter, {{5, 7, 0.25f}});
                    numbers(5, 7) = 0.25f;
                    CHECK_FALSE((*parameter)->encoded((*parameter)->whole()));
                    CHECK((*parameter)->encoded({0, 8, depth, 3}));
                }
                const StepParameter stored(*parameter, ParameterId{});
                for (const Index rows : {1, 5}) {
                    const Matrix x = randomRows(random, rows, depth);
                    const Matrix y = randomRows(random, rows, lines);
                    Matrix expected(rows, lines), is(rows, lines);
                    multiply(x.view(), numbers.view(), expected.view());
                    multiply(x.view(), stored, is.view(), {});
                    CHECK(agrees(fastestKernels().product, *type, is, expected));
                    Matrix expectedBack(rows, depth), back(rows, depth);
                    multiplyTransposed(y.view(), numbers.view(), expectedBack.view());
                    multiplyTransposed(y.view(), stored, back.view(), {});
                    CHECK(sameBits(back, expectedBack));
                    // Multiplies with a single column, and with a range of rows that begins within
                    // a block.
                    Matrix expectedPart(rows, 1), part(rows, 1);
                    multiply(x.view().columnBlock(0, 40),
                             numbers.view().rowBlock(8, 40).columnBlock(9, 1), expectedPart.view());
                    multiply(x.view().columnBlock(0, 40), stored.rowBlock(8, 40).columnBlock(9, 1),
                             part.view(), {});
                    CHECK(sameBits(part, expectedPart));
                }
            }
        }
    }
}

TEST_CASE("a product with a scale that is not finite names the tensor") {
    const GgufType &type = *findGgufType(8);
    for (const int exponent : {0x7C, 0xFC}) {
        Random random(5);
        Encoded w(random, type, 20, 64, 0);
        w.bytes[34 * 25 + 1] |= static_cast<std::byte>(exponent);
        const auto parameter = ParameterMatrix::create(
            decodedBlocks(storageOf(w.bytes), type, "model.gguf, tensor \"odd\""),
            {NumberType::F32, 64, 20, 0, 1, 64});
        REQUIRE(parameter.ok());
        const Matrix x = randomRows(random, 1, 64);
        Matrix out(1, 20);
        try {
            multiply(x.view(), StepParameter(*parameter, ParameterId{}), out.view(), {});
            FAIL("it was multiplied");
        } catch (const ParameterReadError &problem) {
            CHECK(problem.error.where == "model.gguf, tensor \"odd\"");
            CHECK(problem.error.what.text().find("its block 25 is infinite") != std::string::npos);
        }
    }
}
