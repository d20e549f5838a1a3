// Writes seeds into two folders: a small session for every field of the schema, and the model
// folders of tests/data, so that a new field and a new family get seeds.
//   make_seeds SCHEMA SESSIONS FOLDERS PRETRAINED
#include "tests/core/session/schema_samples.h"
#include "tests/fuzz/folder_seeds.h"

#include <filesystem>
#include <fstream>
#include <iostream>

using headlight::core::test::SchemaSamples;
using Json = SchemaSamples::Json;

int main(int count, char **words) {
    std::ifstream schema(count > 4 ? words[1] : "");
    if (!schema) {
        std::cerr << "make_seeds SCHEMA SESSIONS FOLDERS PRETRAINED\n";
        return 2;
    }
    const SchemaSamples samples(Json::parse(schema));
    const Json base = Json::parse(R"({"headlight": 1, "batch": {"sequences": [{"text": "a b"}]},
        "model": {"width": 2, "heads": 1, "head_size": 2, "layers": [{"self_attention": {
            "query": {"identity": 1}, "key": {"identity": 1}, "value": {"identity": 1}}}]},
        "lesson": {"summary": "s", "steps": [{"title": "t", "text": ["{weights 0 0 1 0}", "{if weights 0 0 b#2 a > 1}x{else}y{end}"]}]}})");
    std::filesystem::create_directories(words[2]);
    std::size_t written = 0;
    for (const SchemaSamples::Field &field : samples.fields())
        for (const Json &value : field.values)
            std::ofstream(std::string(words[2]) + "/" + std::to_string(written++) + ".headlight")
                << SchemaSamples::with(base, field.place, value).dump();
    const std::vector<std::string> folders = headlight::test::seedsOfFolders(words[3]);
    std::filesystem::create_directories(words[4]);
    for (std::size_t i = 0; i < folders.size(); ++i)
        std::ofstream(std::string(words[4]) + "/" + std::to_string(i), std::ios::binary)
            << folders[i];
    std::cout << written << " sessions, " << folders.size() << " folders\n";
    return written > samples.fields().size() / 2 && !folders.empty() ? 0 : 1;
}
