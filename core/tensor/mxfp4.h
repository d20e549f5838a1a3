// MXFP4 (Open Compute Project 2023, OCP Microscaling Formats (MX) Specification 1.0, section 6.3).
// A number has four bits: 1 sign, 2 exponent and 1 fraction bit. Each block of 32 numbers has a
// power of two as its scale. The blocks and their scales are two tensors, as in GPT-OSS.
#pragma once

#include "core/tensor/number_storage.h"

namespace headlight::core {

inline constexpr Index kMxfp4Values = 32, kMxfp4Bytes = 16;

/// Returns a storage of F32 numbers, which are decoded when they are read. Number 2j of a block is
/// in the low four bits of its byte j. `scales` has one byte for each 16 bytes of `blocks`: the
/// exponent plus 127. `where` names the tensor in the error for a scale of 255, which is NaN.
StoragePointer mxfp4Storage(StoragePointer blocks, StoragePointer scales, std::string where);

/// Returns the encoding of the storage's numbers.
const NumberEncoding &mxfp4Encoding();

} // namespace headlight::core
