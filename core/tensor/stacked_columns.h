// Takes the columns of several stacked matrices and puts them side by side in one matrix.
#pragma once

#include "core/tensor/number_storage.h"

namespace headlight::core {

/// One part of a tensor [matrices, rows, parts · columns]. Its columns are interleaved (part 0,
/// part 1, …, part 0, …), or the parts are side by side.
struct StackedColumns {
    Index matrices = 1, rows = 0, columns = 0;
    Index parts = 1, part = 0;
    bool areSideBySide = false;
};

/// Returns a storage of the part's numbers as a matrix [rows, matrices · columns], in row-major
/// order. The tensor's numbers must be of this type.
StoragePointer stackedColumns(StoragePointer tensor, NumberType type, const StackedColumns &of);

} // namespace headlight::core
