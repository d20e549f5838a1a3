// NumPy's .npy format: a header that describes the array, and its numbers. Reads versions 1 to 3
// and writes version 1. https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include "core/result.h"
#include "core/tensor/shape.h"
#include "core/tensor/stored_tensor.h"

#include <span>
#include <string>
#include <string_view>

namespace headlight::core {

struct NpyHeader {
    std::string type; ///< type in NumPy's notation, such as "<f4"
    bool isFortran = false;
    Shape shape;
    std::uint64_t size = 0; ///< size of the header in bytes
};

/// Number of bytes that suffice to determine the length of the header.
inline constexpr std::uint64_t kNpyStart = 12;
inline constexpr std::uint64_t kMaxNpyHeader = std::uint64_t(1) << 20;

/// Returns the length of the header from the first kNpyStart bytes. Errors: not a .npy file,
/// another version, longer than kMaxNpyHeader.
Result<std::uint64_t> npyHeaderSize(std::string_view start);

/// Parses a header of npyHeaderSize() bytes. Errors: invalid syntax; a shape with too many
/// elements.
Result<NpyHeader> readNpyHeader(std::string_view header);

/// The number type of an array. numbersOf() returns nullopt if captures do not support it.
struct NpyNumbers {
    ElementType type = ElementType::F32;
    bool isBigEndian = false;
};
std::optional<NpyNumbers> numbersOf(std::string_view npyType);

/// Returns the size of one element in bytes; 0 for an unsupported type.
std::uint64_t npyElementBytes(std::string_view npyType);

/// Returns the strings of a U or S array as a JSON list (of lists). Without axes, returns the
/// string itself. Errors: another type, invalid text, more than two axes, a wrong number of bytes.
Result<std::string> npyStrings(const NpyHeader &header, std::string_view data);

/// Returns the header of an array of little-endian float32 in row-major order. The numbers follow
/// it in the file.
std::string npyHeader(const Shape &shape);

/// Returns the numbers of a row in the binary form of the file.
std::string npyRow(std::span<const float> numbers);

} // namespace headlight::core
