// Arrays written in NumPy's format are read as the same numbers.
#include "core/formats/capture/npy.h"
#include "tests/core/core_test.h"

TEST_CASE("a header has type, order and shape, and its size is a multiple of 64 bytes") {
    for (const Index rows : {1, 10, 8192, 1000000}) {
        const std::string header = npyHeader({rows, 7});
        CHECK(header.size() % 64 == 0);
        CHECK(valueOf(npyHeaderSize(std::string_view(header).substr(0, kNpyStart))) ==
              header.size());
        const NpyHeader read = valueOf(readNpyHeader(header));
        CHECK(read.type == "<f4");
        CHECK_FALSE(read.isFortran);
        CHECK(read.shape == Shape{rows, 7});
    }
}

TEST_CASE("numbers are written bit for bit") {
    const std::vector<float> numbers{0, -1.5f, std::numeric_limits<float>::infinity(), 1e-40f};
    const std::string bytes = npyRow(numbers);
    REQUIRE(bytes.size() == numbers.size() * sizeof(float));
    std::vector<float> read(numbers.size());
    std::memcpy(read.data(), bytes.data(), bytes.size());
    CHECK(read == numbers);
}
