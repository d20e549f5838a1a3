// Reorders the rows of a stored matrix without copying them.
#pragma once

#include "core/tensor/number_storage.h"

#include <cstdint>
#include <vector>

namespace headlight::core {

/// Returns a storage whose row i is row order[i] of `rows`. Each row has `bytesOfRow` bytes.
/// Numbers are read from `rows` when they are needed. All rows in `order` must exist.
StoragePointer withRowsInOrder(StoragePointer rows, std::uint64_t bytesOfRow,
                               std::vector<std::uint32_t> order);

} // namespace headlight::core
