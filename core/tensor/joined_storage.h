// Concatenates storages of equal size without copying them.
#pragma once

#include "core/tensor/number_storage.h"

#include <vector>

namespace headlight::core {

/// Returns a storage with the bytes of all parts, one after the other. There must be at least one
/// part, and all must have the same size of at least one byte. Numbers are read from the parts when
/// they are needed.
StoragePointer joinedStorage(std::vector<StoragePointer> parts);

/// Returns one source for all of these files. Skips null files; returns null if no file is left.
NumberSourcePointer joinedSource(std::vector<NumberSourcePointer> files);
/// Returns the files of a source, one by one; none if it is null.
std::vector<NumberSourcePointer> filesOf(const NumberSourcePointer &source);

} // namespace headlight::core
