// A matrix whose values are encoded in memory or in a mapped file. Products decode them while
// multiplying.
#pragma once

#include "core/kernels/encoded_kernel.h"
#include "core/tensor/matrix.h"

#include <cstddef>
#include <vector>

namespace headlight::core {

/// An encoding in blocks. A block has `values` numbers in `bytes` bytes.
struct NumberEncoding {
    Encoding kernel = Encoding::Other;
    Index values = 1;
    Index bytes = 0;
    /// Decodes `count` numbers, which must be whole blocks.
    void (*decode)(const std::byte *from, Index count, float *out) = nullptr;
    /// Like decode(), but for blocks whose scales are stored separately, one byte each.
    void (*decodeScaled)(const std::byte *from, const std::byte *scales, Index count,
                         float *out) = nullptr;

    bool isOfBlocks() const { return values > 1; }
    /// Returns the size in bytes of `count` numbers, which must be whole blocks.
    Index bytesOf(Index count) const { return count / values * bytes; }
};

/// A matrix as lines, which are its rows or its columns. Each line starts with a block, and its
/// numbers are contiguous.
struct EncodedMatrix {
    const NumberEncoding *encoding = nullptr;
    Index lines = 0;
    Index numbers = 0; ///< numbers in a line, a multiple of the block size
    const std::byte *first = nullptr;
    Index stride = 0; ///< distance between lines in bytes, unless `each` has their addresses
    std::vector<const std::byte *> each{};
    const std::byte *scales = nullptr; ///< scales of the first line, if they are stored separately
    Index scaleStride = 0;

    const std::byte *line(Index index) const {
        return each.empty() ? first + index * stride : each[static_cast<std::size_t>(index)];
    }
    const std::byte *scalesOf(Index index) const { return scales + index * scaleStride; }
};

} // namespace headlight::core
