// Files for tests of readers and writers, in separate scratch folders.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <source_location>
#include <string>
#include <vector>

namespace headlight::core::test {

/// Returns an empty folder for one test case, in a folder named after the test file `where`. Test
/// files that are compiled together run at the same time, so each needs its own folder. Copies of
/// one program that run at the same time have different HEADLIGHT_SCRATCH.
inline std::filesystem::path
freshFolder(const std::string &name,
            const std::source_location &where = std::source_location::current()) {
    const std::filesystem::path file = where.file_name();
    const char *own = std::getenv("HEADLIGHT_SCRATCH");
    const std::filesystem::path all =
        own ? own : std::filesystem::path(HEADLIGHT_TEST_SCRATCH).parent_path();
    const std::filesystem::path folder = all / file.stem() / name;
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    return folder;
}

inline void put(const std::filesystem::path &path, const std::string &bytes) {
    std::ofstream file(path, std::ios::binary);
    file << bytes;
    REQUIRE(file.good());
}

inline std::string contentOf(const std::filesystem::path &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Returns the sorted names in a folder, so that leftover temporary files show up.
inline std::vector<std::string> listing(const std::filesystem::path &folder) {
    std::vector<std::string> names;
    for (const auto &entry : std::filesystem::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

/// Returns a safetensors file with this header and data.
inline std::string safetensors(const std::string &header, const std::string &data = "") {
    std::string bytes;
    for (int shift = 0; shift < 64; shift += 8)
        bytes += static_cast<char>(header.size() >> shift);
    return bytes + header + data;
}

} // namespace headlight::core::test
