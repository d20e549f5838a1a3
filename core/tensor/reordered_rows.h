// The rows of a stored matrix in another order, without a copy.
#pragma once

#include "core/tensor/number_storage.h"

#include <cstdint>
#include <vector>

namespace headlight::core {

/// Returns a storage whose row i is row order[i] of `rows`, which has rows of `bytesOfRow` bytes.
/// Each number is read from `rows` when it is needed. All rows of `order` lie within `rows`.
StoragePointer withRowsInOrder(StoragePointer rows, std::uint64_t bytesOfRow,
                               std::vector<std::uint32_t> order);

} // namespace headlight::core
