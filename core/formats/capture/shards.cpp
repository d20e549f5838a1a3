// Captures in several safetensors files with an index.
#include "core/cancelled.h"
#include "core/formats/capture/array_file.h"
#include "core/formats/shard_index.h"
#include "core/in_quotes.h"

#include <map>

namespace headlight::core {

namespace {

/// Returns the tensor names by file.
std::map<std::string, std::vector<std::string>> byPart(const ShardIndex &index) {
    std::map<std::string, std::vector<std::string>> parts;
    for (const ShardIndex::Entry &entry : index.entries)
        parts[entry.file].push_back(entry.tensor);
    return parts;
}

} // namespace

Result<std::vector<std::string>> partsOf(const std::string &indexPath, std::stop_token stop) {
    const Result<ShardIndex> index = readShardIndex(indexPath, stop);
    if (!index)
        return index.error();
    std::vector<std::string> parts;
    for (const auto &[part, tensors] : byPart(*index))
        parts.push_back(besideIndex(indexPath, part));
    return parts;
}

Result<ArrayFile> openShards(const std::string &path, const IsWanted &isWanted,
                             std::stop_token stop) {
    const Result<ShardIndex> index = readShardIndex(path, stop);
    if (!index)
        return index.error();
    StopCheck check(std::move(stop));
    ArrayFile all{path, {}, {}, index->metadata};
    for (const auto &[part, names] : byPart(*index)) {
        const Result<SafetensorsFile> file = SafetensorsFile::open(besideIndex(path, part));
        if (!file)
            return file.error();
        all.sources.push_back(file->source());
        std::map<std::string_view, const TensorInfo *> infos;
        for (const TensorInfo &info : file->tensors())
            infos.emplace(info.name, &info);
        for (const std::string &name : names) {
            if (check.requested())
                return cancelled();
            if (!isWanted(name)) {
                all.others.push_back(name);
                continue;
            }
            const auto found = infos.find(name);
            if (found == infos.end())
                return Error{{"it has no tensor %1, although the index lists it", inQuotes(name)},
                             file->path(),
                             "get the complete file again"};
            Result<StoredTensor> numbers = file->stored(*found->second);
            if (!numbers)
                return numbers.error();
            all.arrays.push_back({name, *std::move(numbers)});
        }
        for (const auto &[key, value] : file->metadata())
            all.metadata.emplace(key, value); // metadata of the index takes precedence
    }
    return all;
}

} // namespace headlight::core
