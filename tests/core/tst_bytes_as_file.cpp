// The fuzz targets run in one program with the tests. Each must get its bytes under its extension,
// or another reader takes them.
#include "tests/fuzz/bytes_as_file.h"

#include <doctest/doctest.h>
#include <iterator>

using namespace headlight::core;

TEST_CASE("each extension has a file of its own") {
    const auto written = [](std::string_view bytes, const std::string &ending) {
        return bytesAsFile(reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size(),
                           ending);
    };
    const auto contentOf = [](const std::string &path) {
        std::ifstream file(path, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(file), {});
    };
    const std::string plain = written("one", "");
    const std::string zip = written("two", ".npz");
    CHECK(zip.ends_with(".npz"));
    CHECK(contentOf(plain) == "one");
    CHECK(contentOf(zip) == "two");
    CHECK(written("3", "") == plain); // not a file for each run
    CHECK(contentOf(plain) == "3");
    CHECK(contentOf(zip) == "two");
}
