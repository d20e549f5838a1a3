// The memory layout of training: zero-padded rows with heads side by side.
#pragma once

#include "core/kernels/kernels.h"
#include "core/tensor/matrix.h"

namespace headlight::core {

/// A row of equally wide, padded blocks: the heads of queries, or a single block.
struct RowLayout {
    Index blocks = 1;
    Index width = 0; ///< width of a block, without padding

    Index blockStride() const { return padded(width); }
    Index stride() const { return blocks * padded(width); }
    /// Returns the number of columns up to the last one that is not padding.
    Index extent() const { return blocks == 1 ? width : stride(); }
    /// Returns the number of columns without padding.
    Index count() const { return blocks * width; }
    /// Returns the offset of column i.
    Index place(Index i) const { return blocks == 1 ? i : i / width * padded(width) + i % width; }
    bool operator==(const RowLayout &) const = default;
};

/// A step's buffer in a TrainingWorkspace. The rows of each sequence follow the rows of the
/// previous one.
struct Buffer {
    Index rows = 0; ///< rows per sequence
    RowLayout columns{};
    Index offset = 0; ///< offset, as a multiple of the maximum chunk size

    Index sizeOfSequence() const { return rows * columns.stride(); }
};

} // namespace headlight::core
