// The index of several safetensors files, which models and captures share.
#include "core/formats/shard_index.h"
#include "scratch.h"

using namespace headlight::core;
using namespace headlight::core::test;

namespace {

Result<ShardIndex> indexOf(const std::string &text) {
    const auto folder = freshFolder("shard_index");
    put(folder / "x.index.json", text);
    return readShardIndex((folder / "x.index.json").string(), {});
}

std::string withParts(std::size_t count) {
    std::string text = R"({"weight_map": {)";
    for (std::size_t i = 0; i < count; ++i) {
        const std::string number = std::to_string(i);
        text += (i == 0 ? "\"t" : ", \"t") + number + "\": \"p" + number + "\"";
    }
    return text + "}}";
}

} // namespace

TEST_CASE("the tensors come in the order of the index, the metadata without numbers") {
    const auto index = indexOf(R"({"metadata": {"total_size": 36, "prompt": "a b"},
                                   "weight_map": {"z": "2", "a": "1", "m": "2"}})");
    REQUIRE(index.ok());
    REQUIRE(index->entries.size() == 3);
    CHECK(index->entries[0].tensor == "z");
    CHECK(index->entries[0].file == "2");
    CHECK(index->entries[2].tensor == "m");
    CHECK(index->metadata == Metadata{{"prompt", "a b"}});
}

TEST_CASE("as many parts as can be open at once") {
    CHECK(indexOf(withParts(kMaximumShards)).ok());
    const auto more = indexOf(withParts(kMaximumShards + 1));
    REQUIRE_FALSE(more.ok());
    CHECK(more.error().what == "it has 513 parts; the maximum is 512");
}

TEST_CASE("no name leads out of the folder, on any system") {
    for (const char *file : {"", ".", "..", "a/b", "/a", "a\\\\b", "a\\u0000b"}) {
        CAPTURE(file);
        const auto index = indexOf(R"({"weight_map": {"t": ")" + std::string(file) + R"("}})");
        REQUIRE_FALSE(index.ok());
        CHECK(index.error().what == "its part is not the name of a file in the index's folder");
        CHECK(index.error().where.ends_with("x.index.json, tensor \"t\""));
    }
    CHECK(besideIndex("folder/x.index.json", "part") == "folder/part");
    CHECK(besideIndex("x.index.json", "part") == "part");
}
