// How training lays numbers out: rows filled up with zeros, heads side by side.
#pragma once

#include "core/tensor/matrix.h"
#include "core/training/pass/kernels.h"

namespace headlight::core {

/// Blocks of equal width side by side, each filled up: the heads of queries, or one block.
struct RowLayout {
    Index blocks = 1;
    Index width = 0; ///< of a block, without what fills it up

    Index blockStride() const { return padded(width); }
    Index stride() const { return blocks * padded(width); }
    /// All that may be other than zero stands before it.
    Index extent() const { return blocks == 1 ? width : stride(); }
    /// How many there are, without what fills them up.
    Index count() const { return blocks * width; }
    /// Where column i of those stands.
    Index place(Index i) const { return blocks == 1 ? i : i / width * padded(width) + i % width; }
    bool operator==(const RowLayout &) const = default;
};

/// A step's numbers in a lane's memory: rows of one sequence after those of another.
struct Buffer {
    Index rows = 0; ///< of each sequence
    RowLayout columns{};
    Index offset = 0; ///< for one sequence of a chunk; times as many as it has

    Index sizeOfSequence() const { return rows * columns.stride(); }
};

} // namespace headlight::core
