// Storages of equal size one after the other, without a copy.
#pragma once

#include "core/tensor/number_storage.h"

#include <vector>

namespace headlight::core {

/// Returns a storage with the bytes of all parts. There is at least one part, and all have the same
/// size, at least one byte. Each number is read from its part when it is needed.
StoragePointer joinedStorage(std::vector<StoragePointer> parts);

/// Returns one source for all of these files. Null files are left out; null if no file is left.
NumberSourcePointer joinedSource(std::vector<NumberSourcePointer> files);
/// Returns the files of a source, each by itself; none if it is null.
std::vector<NumberSourcePointer> filesOf(const NumberSourcePointer &source);

} // namespace headlight::core
