// A GGUF tensor as a storage of floats. Its blocks stay in the file and are decoded when they are
// read.
#pragma once

#include "core/formats/gguf/block_types.h"
#include "core/tensor/number_storage.h"

#include <string>

namespace headlight::core {

/// Returns a storage of the F32 numbers that are encoded in `blocks`, which are complete blocks of
/// the type. Errors name the tensor (`where`): errors of reading `blocks`; a scale that is not
/// finite.
StoragePointer decodedBlocks(StoragePointer blocks, const GgufType &type, std::string where);

} // namespace headlight::core
