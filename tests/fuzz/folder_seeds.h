// Seeds of pretrained folders, made from tests/data/folders. tst_reference_pass requires a folder
// of every family there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace headlight::test {

inline std::string contentOf(const std::filesystem::path &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Returns config.json, a zero byte and the header of the tensors, as fuzz_pretrained.cpp reads
/// them. Folders whose tensors are in several files are left out.
inline std::vector<std::string> seedsOfFolders(const std::filesystem::path &folders) {
    std::vector<std::filesystem::path> paths;
    for (const auto &entry : std::filesystem::directory_iterator(folders))
        if (std::filesystem::exists(entry.path() / "model.safetensors"))
            paths.push_back(entry.path());
    std::ranges::sort(paths);
    std::vector<std::string> seeds;
    for (const std::filesystem::path &path : paths) {
        const std::string tensors = contentOf(path / "model.safetensors");
        std::uint64_t length = 0;
        for (std::size_t byte = std::min<std::size_t>(tensors.size(), 8); byte > 0; --byte)
            length = length << 8 | static_cast<unsigned char>(tensors[byte - 1]);
        seeds.push_back(contentOf(path / "config.json") + '\0' +
                        tensors.substr(std::min<std::size_t>(tensors.size(), 8), length));
    }
    return seeds;
}

} // namespace headlight::test
