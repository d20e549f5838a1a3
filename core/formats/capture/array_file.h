// The arrays of a file from any program: their types, shapes and positions, and the file's
// metadata. No numbers are read here.
#pragma once

#include "core/formats/safetensors/safetensors.h"

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

struct NamedArray {
    std::string name;
    StoredTensor numbers; ///< in the file's own axis order
};

struct ArrayFile {
    std::string path;
    std::vector<NamedArray> arrays;             ///< the requested arrays
    std::vector<std::string> others;            ///< names of the other arrays
    Metadata metadata;                          ///< also contains arrays of strings, as JSON lists
    std::vector<NumberSourcePointer> sources{}; ///< the opened files
};

/// Returns true for the names of arrays to open.
using IsWanted = std::function<bool(std::string_view name)>;

/// Opens a file by its extension: safetensors, the index of a sharded safetensors file, or .npz.
/// Errors name the file and the array; "cancelled" once `stop` is requested.
Result<ArrayFile> openArrays(const std::string &path, const IsWanted &isWanted,
                             std::stop_token stop = {});

/// Opens "….safetensors.index.json", a JSON document whose `weight_map` maps each tensor to a file
/// in the same folder. Additional errors: a shard in another folder or without its tensor.
Result<ArrayFile> openShards(const std::string &path, const IsWanted &isWanted,
                             std::stop_token stop = {});

/// Returns the files that the index names, sorted by name.
Result<std::vector<std::string>> partsOf(const std::string &indexPath, std::stop_token stop = {});

/// Opens NumPy's .npz: a zip of .npy files, stored or deflated. Arrays of strings, or one string,
/// become metadata. Additional errors: entries that are outside the file, overlap, are encrypted,
/// or contain more than they declare.
Result<ArrayFile> openNpz(const std::string &path, const IsWanted &isWanted,
                          std::stop_token stop = {});

/// Memory limit for all deflated arrays of a file together.
inline constexpr std::uint64_t kMaxInflatedBytes = std::uint64_t(1) << 30;

bool isShardIndex(std::string_view path);
bool isNpz(std::string_view path);

} // namespace headlight::core
