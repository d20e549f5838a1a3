#include "core/formats/shard_index.h"

#include "core/cancelled.h"
#include "core/formats/files/regular_file.h"
#include "core/formats/json/reader.h"
#include "core/in_quotes.h"

#include <set>
#include <string_view>

namespace headlight::core {

namespace {

using IndexKind = JsonValue::Kind;

constexpr std::uint64_t kMaxIndexBytes = std::uint64_t(64) << 20;

/// True for a file name without a path, on any system.
bool isPlainName(const std::string &name) {
    return !name.empty() && name != "." && name != ".." &&
           name.find_first_of(std::string_view("/\\\0", 3)) == std::string::npos;
}

} // namespace

Result<ShardIndex> readShardIndex(const std::string &path, const std::stop_token &stop) {
    const Error tooLarge{{"it is larger than %1 MB", kMaxIndexBytes >> 20}, path, ""};
    const Result<std::string> text = readRegularFile(path, kMaxIndexBytes, tooLarge, stop);
    if (!text)
        return text.error();
    const auto document = readJson(*text, stop);
    if (!document)
        return isCancelled(document.error())
                   ? document.error()
                   : Error{document.error().what, path + ": " + document.error().where,
                           document.error().remedy};
    const JsonValue *map = document->find("weight_map");
    if (!map || map->kind != IndexKind::Object || map->members().empty())
        return Error{"it has no weight_map", path,
                     "an index is {\"weight_map\": {\"attentions.0\": \"part-1.safetensors\", …}}"};
    ShardIndex index;
    std::set<std::string_view> files;
    for (const JsonMember &member : map->members()) {
        if (member.value.kind != IndexKind::String || !isPlainName(member.value.text()))
            return Error{"its part is not the name of a file in the index's folder",
                         path + ", tensor " + inQuotes(member.name, kTensorNameShown),
                         "give the file's name without a folder"};
        index.entries.push_back({member.name, member.value.text()});
        files.insert(member.value.text());
    }
    if (files.size() > kMaxShards)
        return Error{{"it has %1 parts; the maximum is %2", files.size(), kMaxShards},
                     path,
                     "write fewer and larger parts"};
    if (const JsonValue *metadata = document->find("metadata");
        metadata && metadata->kind == IndexKind::Object)
        for (const JsonMember &member : metadata->members())
            if (member.value.kind == IndexKind::String)
                index.metadata.emplace(member.name, member.value.text());
    return index;
}

std::string besideIndex(const std::string &index, const std::string &file) {
    const std::size_t slash = index.rfind('/');
    return (slash == std::string::npos ? std::string() : index.substr(0, slash + 1)) + file;
}

} // namespace headlight::core
