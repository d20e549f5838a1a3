// The header of NumPy's .npy format, versions 1 to 3: what an array is, before its numbers.
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include "core/result.h"
#include "core/tensor/stored_tensor.h"

#include <string>
#include <string_view>

namespace headlight::core {

struct NpyHeader {
    std::string type; ///< as NumPy writes it: "<f4"
    bool isFortran = false;
    Shape shape;
    std::uint64_t size = 0; ///< bytes before the numbers
};

/// So many bytes of a file are enough to know how long its header is.
inline constexpr std::uint64_t kNpyStart = 12;
inline constexpr std::uint64_t kMaximumNpyHeader = std::uint64_t(1) << 20;

/// How long the header is, numbers not included, by the first kNpyStart bytes. Errors: none of
/// NumPy's, another version, longer than kMaximumNpyHeader.
Result<std::uint64_t> npyHeaderSize(std::string_view start);

/// `header` is as long as npyHeaderSize() says. Errors: what cannot be understood; a shape whose
/// numbers cannot be counted.
Result<NpyHeader> readNpyHeader(std::string_view header);

/// Numbers that a capture can hold; none: something else. The bytes are not looked at.
struct NpyNumbers {
    ElementType type = ElementType::F32;
    bool isBigEndian = false;
};
std::optional<NpyNumbers> numbersOf(std::string_view npyType);

/// Bytes of one element of numbers or strings; 0: of another type.
std::uint64_t npyElementBytes(std::string_view npyType);

/// The strings of an array as NumPy's U and S have them, as a JSON list (of lists), or of no axes
/// as the string itself. Errors: not strings, not text, more than two axes, another number of
/// bytes.
Result<std::string> npyStrings(const NpyHeader &header, std::string_view data);

} // namespace headlight::core
