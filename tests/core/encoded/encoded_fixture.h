// Random encoded matrices, and comparisons of their products.
#pragma once

#include "core/kernels/kernels.h"
#include "core/tensor/matrix.h"
#include "random_blocks.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace headlight::core::test {

inline Matrix randomRows(Random &random, Index rows, Index columns) {
    Matrix matrix(rows, columns);
    for (Index r = 0; r < rows; ++r)
        for (float &value : matrix.view().row(r))
            value = static_cast<float>(random.normal());
    return matrix;
}

/// True if the numbers have the same bits. Any two NaN count as equal.
inline bool sameBits(const Matrix &x, const Matrix &y) {
    return std::ranges::equal(x.values(), y.values(), [](float a, float b) {
        return std::memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
    });
}

/// Random encoded lines, and the same numbers decoded. A gap follows each line, as when the lines
/// are columns of a larger matrix.
struct Encoded {
    Encoded(Random &random, const GgufType &type, Index lines, Index numbers, Index gap)
        : bytes(randomBlocks(random, type,
                             lines * (numbers / static_cast<Index>(type.values) + gap))),
          decoded(lines, numbers) {
        matrix.encoding = &type.encoding;
        matrix.lines = lines;
        matrix.numbers = numbers;
        matrix.first = bytes.data();
        matrix.stride = bytesOfLine(type, numbers) + gap * static_cast<Index>(type.bytes);
        // Ends the bytes right after the last line, so that sanitizers detect reads beyond it.
        bytes.resize(
            static_cast<std::size_t>((lines - 1) * matrix.stride + bytesOfLine(type, numbers)));
        bytes.shrink_to_fit();
        matrix.first = bytes.data();
        for (Index line = 0; line < lines; ++line)
            decodeLine(type, line);
    }
    void decodeLine(const GgufType &type, Index line) {
        for (Index i = 0; i < matrix.numbers; i += static_cast<Index>(type.values))
            type.decode(reinterpret_cast<const std::uint8_t *>(matrix.line(line)) +
                            bytesOfLine(type, i),
                        decoded.view().row(line).data() + i);
    }
    static Index bytesOfLine(const GgufType &type, Index numbers) {
        return numbers / static_cast<Index>(type.values) * static_cast<Index>(type.bytes);
    }

    std::vector<std::byte> bytes;
    EncodedMatrix matrix;
    Matrix decoded;
};

/// True if products with this type use fixed point, so that they differ from products of floats.
inline bool usesFixedPoint(const ProductKernel &kernel, const GgufType &type) {
    const Encoding encoding = type.encoding.kernel;
    return kernel.fixedPoint && encoding != Encoding::Other &&
           kernel.fixedPoint->dots[static_cast<int>(encoding)];
}

/// True if no number differs by more than `tolerance` of the largest size.
inline bool areClose(const Matrix &x, const Matrix &expected, double tolerance = 2e-5) {
    double size = 0, difference = 0;
    for (std::size_t i = 0; i < x.values().size(); ++i) {
        const double number = expected.values()[i];
        size = std::max(size, std::abs(number));
        difference = std::max(difference, std::abs(x.values()[i] - number));
    }
    return difference <= tolerance * size;
}

/// True if `is` has the bits of the product of floats. In fixed point, it only has to be close.
inline bool agrees(const ProductKernel &kernel, const GgufType &type, const Matrix &is,
                   const Matrix &floats) {
    return usesFixedPoint(kernel, type) ? areClose(is, floats) : sameBits(is, floats);
}

} // namespace headlight::core::test
