// Storages of equal size one after the other, without a copy.
#pragma once

#include "core/tensor/number_storage.h"

#include <vector>

namespace headlight::core {

/// Returns a storage with the bytes of all parts. There is at least one part, and all have the same
/// size, at least one byte. Each number is read from its part when it is needed.
StoragePointer joinedStorage(std::vector<StoragePointer> parts);

} // namespace headlight::core
