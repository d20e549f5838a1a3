// The header of a safetensors file: its tensors and the positions of their bytes.
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

/// A tensor as described in the header.
struct TensorInfo {
    std::string name;
    std::string dtype; ///< number type, such as "F32"
    Shape shape;
    std::uint64_t begin = 0; ///< byte offset from the end of the header
    std::uint64_t end = 0;
};

struct SafetensorsHeader {
    std::vector<TensorInfo> tensors; ///< in file order
    Metadata metadata;
};

inline constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;
inline constexpr std::size_t kMaxTensors = 200'000;
inline constexpr std::size_t kMaxRank = 8;

/// Returns the size of one number in bytes; 0 for an unknown type.
std::size_t bytesOf(std::string_view dtype);

/// Parses the header's text. `dataBytes`: the size of the data after it. Checks the fields and
/// their types, that names are unique, that every tensor's bytes are inside the file and match its
/// shape, and that tensors do not overlap. Errors: `where` names the file, and the tensor that is
/// wrong.
Result<SafetensorsHeader> parseSafetensorsHeader(std::string_view json, std::uint64_t dataBytes,
                                                 const std::string &where);

} // namespace headlight::core
