// Stores the same numbers as parameters of every kind: types, strides, files, edits.
#pragma once

#include "../random_models.h"
#include "../scratch.h"
#include "core/formats/files/file_numbers.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace headlight::core::test {

/// Returns the bits of the nearest half-precision number. Of two equally near numbers, takes the
/// one farther from 0. Computed by arithmetic, not from the bits of the float. The number must be
/// in range.
inline std::uint16_t halfOf(float number) {
    int exponent = 0;
    const float fraction = std::frexp(std::abs(number), &exponent); // 0.5 ≤ fraction < 1
    const long bits = exponent < -13 || number == 0
                          ? std::lround(std::ldexp(std::abs(number), 24))
                          : ((exponent + 14L) << 10) + std::lround(fraction * 2048.0f) - 1024L;
    return static_cast<std::uint16_t>(bits | (std::signbit(number) ? 0x8000L : 0L));
}

inline float ofHalf(std::uint16_t half) {
    const int exponent = (half >> 10) & 31, fraction = half & 1023;
    const float magnitude = exponent == 0
                                ? std::ldexp(static_cast<float>(fraction), -24)
                                : std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
    return half & 0x8000 ? -magnitude : magnitude;
}

inline std::uint16_t bfloatOf(float number) {
    return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(number) >> 16);
}

/// Returns the number as putNumber() stores it: the nearest one for F16, but truncated for BF16.
inline float roundedTo(NumberType type, float number) {
    if (number == 0)
        return number;
    switch (type) {
    case NumberType::F32:
        return number;
    case NumberType::F16:
        return ofHalf(halfOf(number));
    case NumberType::BF16: // keeps 8 bits. With a bit mask, GCC 12 would take the F32 case
        return std::ldexp(std::trunc(std::ldexp(number, 8 - std::ilogb(number) - 1)),
                          std::ilogb(number) + 1 - 8);
    }
    return number;
}

inline void putNumber(std::vector<std::byte> &bytes, NumberType type, Index at, float number) {
    const std::uint32_t bits = type == NumberType::F32   ? std::bit_cast<std::uint32_t>(number)
                               : type == NumberType::F16 ? halfOf(number)
                                                         : bfloatOf(number);
    const auto size = static_cast<Index>(bytesOf(type));
    for (Index i = 0; i < size; ++i)
        bytes[static_cast<std::size_t>(at * size + i)] = static_cast<std::byte>(bits >> (8 * i));
}

/// The place where a random matrix is stored.
enum class Lies { InMemory, InFile };

/// Stores matrices in memory or in files, with any number type and layout. store() first stores
/// wrong numbers in `edits` cells, which edits of the parameter then correct.
class StoredParameters {
  public:
    StoredParameters(Random &random, std::filesystem::path folder)
        : m_random(random), m_folder(std::move(folder)) {}

    Parameter store(const Matrix &numbers, NumberType type, Lies lies, int layoutKind,
                    Index edits) {
        const Index rows = numbers.rows(), columns = numbers.columns();
        NumberLayout layout{type, rows, columns, layoutKind == 0 ? 0 : 3, columns, 1};
        switch (layoutKind) {
        case 2: // [out, in]
            layout.rowStride = 1;
            layout.columnStride = rows;
            break;
        case 3: // next to other matrices, like Q, K and V in one tensor
            layout.rowStride = columns + 5;
            break;
        case 4: // gaps between rows and between numbers
            layout.rowStride = 2 * columns + 1;
            layout.columnStride = 2;
            break;
        default:
            break;
        }
        Matrix base = numbers;
        std::vector<CellEdit> cells;
        for (; edits > 0; --edits) {
            const Index row = between(m_random, 0, rows - 1);
            const Index column = between(m_random, 0, columns - 1);
            base(row, column) = 1.5f;
            cells.push_back({static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column),
                             numbers(row, column)});
        }
        const Index count =
            layout.offset + (rows - 1) * layout.rowStride + (columns - 1) * layout.columnStride + 1;
        std::vector<std::byte> bytes(static_cast<std::size_t>(count) * bytesOf(type),
                                     std::byte(0x7F));
        for (Index row = 0; row < rows; ++row)
            for (Index column = 0; column < columns; ++column)
                putNumber(bytes, type,
                          layout.offset + row * layout.rowStride + column * layout.columnStride,
                          base(row, column));
        const auto made = ParameterMatrix::create(storageFor(std::move(bytes), type, lies), layout);
        REQUIRE(made.ok());
        return withCells(*made, std::move(cells));
    }

    /// Stores the matrix in a random way.
    Parameter storeAnyhow(const Matrix &numbers, NumberType type) {
        return store(numbers, type, oneIn(m_random, 3) ? Lies::InFile : Lies::InMemory,
                     static_cast<int>(between(m_random, 0, 4)),
                     oneIn(m_random, 2) ? 0 : between(m_random, 1, 4));
    }

    const std::vector<std::filesystem::path> &files() const { return m_files; }

  private:
    StoragePointer storageFor(std::vector<std::byte> bytes, NumberType type, Lies lies) {
        if (lies == Lies::InMemory && type == NumberType::F32 && oneIn(m_random, 2)) {
            std::vector<float> floats(bytes.size() / sizeof(float));
            std::memcpy(floats.data(), bytes.data(), floats.size() * sizeof(float));
            return storageOf(std::move(floats));
        }
        if (lies == Lies::InMemory)
            return storageOf(std::move(bytes));
        // The numbers begin after 4 other bytes.
        const auto path = m_folder / ("numbers" + std::to_string(m_files.size()));
        const std::string content(reinterpret_cast<const char *>(bytes.data()), bytes.size());
        put(path, "else" + content);
        m_files.push_back(path);
        const auto file = openNumberFile(path.string());
        REQUIRE(file.ok());
        const auto region = numbersIn(*file, 4, bytes.size());
        REQUIRE(region.ok());
        return *region;
    }

    Random &m_random;
    std::filesystem::path m_folder;
    std::vector<std::filesystem::path> m_files;
};

} // namespace headlight::core::test
