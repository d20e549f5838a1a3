// The index of tensors in several safetensors files, as Hugging Face's libraries write it:
// {"weight_map": {tensor: file}}.
#pragma once

#include "core/formats/safetensors/header.h"
#include "core/result.h"

#include <stop_token>
#include <string>
#include <vector>

namespace headlight::core {

/// Maximum number of files. All of them stay open.
inline constexpr std::size_t kMaxShards = 512;

struct ShardIndex {
    struct Entry {
        std::string tensor;
        std::string file; ///< a file name without a folder
    };
    std::vector<Entry> entries; ///< in index order; not empty
    Metadata metadata;          ///< members that are strings
};

/// Errors: the file cannot be read or is not an index; a shard is in another folder; too many
/// shards.
Result<ShardIndex> readShardIndex(const std::string &path, const std::stop_token &stop);

/// Returns the path of a shard, which is in the same folder as the index.
std::string besideIndex(const std::string &index, const std::string &file);

} // namespace headlight::core
