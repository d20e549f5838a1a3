// The header of a safetensors file: which tensors there are and where their bytes lie.
// https://github.com/huggingface/safetensors#format
#pragma once

#include "core/result.h"
#include "core/tensor/shape.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

using Metadata = std::map<std::string, std::string>;

/// One tensor as the header describes it.
struct TensorInfo {
    std::string name;
    std::string dtype; ///< "F32"
    Shape shape;
    std::uint64_t begin = 0; ///< bytes from the end of the header
    std::uint64_t end = 0;
};

struct SafetensorsHeader {
    std::vector<TensorInfo> tensors; ///< in the order of the file
    Metadata metadata;
};

inline constexpr std::uint64_t kMaximumHeaderBytes = 100'000'000;
inline constexpr std::size_t kMaximumTensors = 200'000;
inline constexpr std::size_t kMaximumRank = 8;

/// Bytes of one number; 0 for a type that is not known.
std::size_t bytesOf(std::string_view dtype);

/// `json` is the header's text, `dataBytes` what follows it in the file. Checked: the fields and
/// their types, no name twice, every tensor's bytes inside the file, as many as its shape asks for,
/// and no two tensors overlapping. Errors: `where` is the file, with the tensor where it is one's
/// fault.
Result<SafetensorsHeader> parseSafetensorsHeader(std::string_view json, std::uint64_t dataBytes,
                                                 const std::string &where);

} // namespace headlight::core
