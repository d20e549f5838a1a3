// The columns of several matrices that stand one after the other, side by side in one matrix.
#pragma once

#include "core/tensor/number_storage.h"

namespace headlight::core {

/// The numbers of a tensor [matrices, rows, parts · columns] that belong to one of the parts, whose
/// columns take turns: part 0, part 1, …, part 0, ….
struct StackedColumns {
    Index matrices = 1, rows = 0, columns = 0;
    Index parts = 1, part = 0;
};

/// A storage of these numbers as a matrix [rows, matrices · columns], row by row. The tensor has
/// whole numbers of the type.
StoragePointer stackedColumns(StoragePointer tensor, NumberType type, const StackedColumns &of);

} // namespace headlight::core
