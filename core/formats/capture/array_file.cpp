#include "core/formats/capture/array_file.h"

#include "core/cancelled.h"

namespace headlight::core {

namespace {

Result<ArrayFile> openSafetensors(const std::string &path, const IsWanted &isWanted,
                                  std::stop_token stop) {
    StopCheck check(std::move(stop));
    const Result<SafetensorsFile> file = SafetensorsFile::open(path);
    if (!file)
        return file.error();
    ArrayFile arrays{path, {}, {}, file->metadata(), {file->source()}};
    for (const TensorInfo &info : file->tensors()) {
        if (check.requested())
            return cancelled();
        if (!isWanted(info.name)) {
            arrays.others.push_back(info.name);
            continue;
        }
        Result<StoredTensor> numbers = file->stored(info);
        if (!numbers)
            return numbers.error();
        arrays.arrays.push_back({info.name, *std::move(numbers)});
    }
    return arrays;
}

} // namespace

bool isShardIndex(std::string_view path) {
    return path.ends_with(".safetensors.index.json");
}

bool isNpz(std::string_view path) {
    return path.ends_with(".npz");
}

Result<ArrayFile> openArrays(const std::string &path, const IsWanted &isWanted,
                             std::stop_token stop) {
    if (stop.stop_requested())
        return cancelled();
    if (isNpz(path))
        return openNpz(path, isWanted, std::move(stop));
    if (isShardIndex(path))
        return openShards(path, isWanted, std::move(stop));
    return openSafetensors(path, isWanted, std::move(stop));
}

} // namespace headlight::core
