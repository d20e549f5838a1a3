#include "core/formats/capture/npy_writer.h"

#include <bit>
#include <cstring>

namespace headlight::core {

static_assert(std::endian::native == std::endian::little);

std::string npyHeader(const Shape &shape) {
    std::string sizes;
    for (std::size_t axis = 0; axis < shape.rank(); ++axis)
        sizes += std::to_string(shape[axis]) + ",";
    std::string text = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + sizes + "), }";
    constexpr std::size_t kBefore = 10; // magic string, version, length
    constexpr std::size_t kAligned = 64;
    text.append((kAligned - (kBefore + text.size() + 1) % kAligned) % kAligned, ' ');
    text += '\n';
    std::string header = "\x93NUMPY";
    header += '\x01';
    header += '\0';
    header += static_cast<char>(text.size() & 0xFF);
    header += static_cast<char>(text.size() >> 8);
    return header + text;
}

std::string npyRow(std::span<const float> numbers) {
    std::string bytes(numbers.size_bytes(), '\0');
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return bytes;
}

} // namespace headlight::core
