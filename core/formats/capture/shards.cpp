// Sharded safetensors files and their index.
#include "core/cancelled.h"
#include "core/formats/capture/array_file.h"
#include "core/formats/files/regular_file.h"
#include "core/formats/json/reader.h"
#include "core/in_quotes.h"

#include <map>

namespace headlight::core {

namespace {

using ShardKind = JsonValue::Kind;

constexpr std::uint64_t kMaximumIndexBytes = std::uint64_t(64) << 20;
constexpr std::size_t kMaximumParts = 500; // each is an open file

/// True for a file name without a path, in the index's own folder.
bool isPlainName(const std::string &name) {
    return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos &&
           name.find('\0') == std::string::npos;
}

struct ShardIndex {
    std::map<std::string, std::vector<std::string>> tensors; ///< by shard
    Metadata metadata;
};

Result<ShardIndex> readIndex(const std::string &path, const std::stop_token &stop) {
    const Error tooLarge{{"it is larger than %1 MB", kMaximumIndexBytes >> 20}, path, ""};
    const Result<std::string> text = readRegularFile(path, kMaximumIndexBytes, tooLarge, stop);
    if (!text)
        return text.error();
    const auto document = readJson(*text, stop);
    if (!document)
        return isCancelled(document.error())
                   ? document.error()
                   : Error{document.error().what, path + ": " + document.error().where,
                           document.error().remedy};
    const JsonValue *map = document->find("weight_map");
    if (!map || map->kind != ShardKind::Object || map->members().empty())
        return Error{"it has no weight_map", path,
                     "an index is {\"weight_map\": {\"attentions.0\": \"part-1.safetensors\", …}}"};
    ShardIndex index;
    for (const JsonMember &tensor : map->members()) {
        if (tensor.value.kind != ShardKind::String || !isPlainName(tensor.value.text()))
            return Error{"its part is not the name of a file beside the index",
                         path + ", tensor " + inQuotes(tensor.name),
                         "give the file's name without a folder"};
        index.tensors[tensor.value.text()].push_back(tensor.name);
    }
    if (index.tensors.size() > kMaximumParts)
        return Error{{"it has %1 parts, at most %2 are read", index.tensors.size(), kMaximumParts},
                     path,
                     "write fewer and larger parts"};
    if (const JsonValue *said = document->find("metadata"); said && said->kind == ShardKind::Object)
        for (const JsonMember &member : said->members())
            if (member.value.kind == ShardKind::String)
                index.metadata.emplace(member.name, member.value.text());
    return index;
}

std::string besideIndex(const std::string &index, const std::string &part) {
    const std::size_t slash = index.rfind('/');
    return (slash == std::string::npos ? std::string() : index.substr(0, slash + 1)) + part;
}

} // namespace

Result<std::vector<std::string>> partsOf(const std::string &indexPath, std::stop_token stop) {
    const Result<ShardIndex> index = readIndex(indexPath, stop);
    if (!index)
        return index.error();
    std::vector<std::string> parts;
    for (const auto &[part, tensors] : index->tensors)
        parts.push_back(besideIndex(indexPath, part));
    return parts;
}

Result<ArrayFile> openShards(const std::string &path, const IsWanted &isWanted,
                             std::stop_token stop) {
    const Result<ShardIndex> index = readIndex(path, stop);
    if (!index)
        return index.error();
    StopCheck check(std::move(stop));
    ArrayFile all{path, {}, {}, index->metadata};
    for (const auto &[part, names] : index->tensors) {
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
                return Error{{"it has no tensor %1, which the index says is there", inQuotes(name)},
                             file->path(),
                             "get the whole of it again"};
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
