// A matrix whose numbers stand encoded in memory or in a mapped file. A product decodes them while
// it multiplies.
#pragma once

#include "core/kernels/encoded_kernel.h"
#include "core/tensor/matrix.h"

#include <cstddef>
#include <vector>

namespace headlight::core {

/// Blocks of `values` numbers in `bytes` bytes.
struct NumberEncoding {
    Encoding kernel = Encoding::Other;
    Index values = 1;
    Index bytes = 0;
    /// Decodes `count` numbers in whole blocks.
    void (*decode)(const std::byte *from, Index count, float *out) = nullptr;
    /// The same, if the blocks have their scales elsewhere, a byte each.
    void (*decodeScaled)(const std::byte *from, const std::byte *scales, Index count,
                         float *out) = nullptr;

    bool isOfBlocks() const { return values > 1; }
    /// Returns the bytes of `count` numbers in whole blocks.
    Index bytesOf(Index count) const { return count / values * bytes; }
};

/// The lines of a matrix, which are its rows or its columns: each begins with a block and has its
/// numbers one after another.
struct EncodedMatrix {
    const NumberEncoding *encoding = nullptr;
    Index lines = 0;
    Index numbers = 0; ///< of a line; whole blocks
    const std::byte *first = nullptr;
    Index stride = 0; ///< bytes from a line to the next, unless `each` says where they are
    std::vector<const std::byte *> each{};
    const std::byte *scales = nullptr; ///< scales of the first line, if they are in another place
    Index scaleStride = 0;

    const std::byte *line(Index index) const {
        return each.empty() ? first + index * stride : each[static_cast<std::size_t>(index)];
    }
    const std::byte *scalesOf(Index index) const { return scales + index * scaleStride; }
};

} // namespace headlight::core
