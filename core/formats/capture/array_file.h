// The arrays of a file, whichever program wrote it: where their numbers lie, and what the file says
// besides. Nothing of the numbers themselves is read.
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
    StoredTensor numbers; ///< in the order of the file's own axes
};

struct ArrayFile {
    std::string path;
    std::vector<NamedArray> arrays;  ///< that were wanted
    std::vector<std::string> others; ///< names of those that were not
    Metadata metadata;               ///< of a file that has arrays of strings, those as JSON lists
    std::vector<NumberSourcePointer> sources{}; ///< the files, as they were opened
};

/// Whether an array of that name is of use.
using IsWanted = std::function<bool(std::string_view name)>;

/// By the ending of the name: safetensors, the index of a safetensors file in parts, or .npz.
/// Errors name the file and the array; "cancelled" once `stop` is requested.
Result<ArrayFile> openArrays(const std::string &path, const IsWanted &isWanted,
                             std::stop_token stop = {});

/// "….safetensors.index.json": a JSON document whose `weight_map` says in which of the files beside
/// it each tensor is. Errors: also a part that would lie elsewhere, or lacks its tensor.
Result<ArrayFile> openShards(const std::string &path, const IsWanted &isWanted,
                             std::stop_token stop = {});

/// The files that the index names, in the order of their names.
Result<std::vector<std::string>> partsOf(const std::string &indexPath, std::stop_token stop = {});

/// NumPy's .npz: a zip of .npy files, stored or deflated. Arrays of strings, or one string, become
/// metadata. Errors: also what lies outside of the file, overlaps, is encrypted, or holds more than
/// it claims.
Result<ArrayFile> openNpz(const std::string &path, const IsWanted &isWanted,
                          std::stop_token stop = {});

/// What deflated arrays of one file may take in memory.
inline constexpr std::uint64_t kMaximumInflatedBytes = std::uint64_t(1) << 30;

bool isShardIndex(std::string_view path);
bool isNpz(std::string_view path);

} // namespace headlight::core
