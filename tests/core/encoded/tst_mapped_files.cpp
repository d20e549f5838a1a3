// Files that products read in place, even while another program changes them.
#include "../scratch.h"
#include "core/formats/files/file_numbers.h"
#include "core/transformer/run/step_parameter.h"

#include <cstring>
#include <fstream>

using namespace headlight::core;
using namespace headlight::core::test;

namespace {

constexpr Index kDepth = 1024, kColumns = 512;

/// A file with a matrix of ones, [out, in].
struct FileOfOnes {
    explicit FileOfOnes(const std::filesystem::path &where) : path(where) {
        std::string bytes(sizeof(float) * kDepth * kColumns, '\0');
        for (std::size_t at = 0; at < bytes.size(); at += sizeof(float)) {
            bytes[at + 2] = '\x80';
            bytes[at + 3] = '\x3F';
        }
        put(path, bytes);
        file = *openNumberFile(path.string());
        const auto parameter = ParameterMatrix::create(
            *numbersIn(file, 0, bytes.size()), {NumberType::F32, kDepth, kColumns, 0, 1, kDepth});
        REQUIRE(parameter.ok());
        w = StepParameter(*parameter, ParameterId{});
    }
    /// Returns the first column of a product with ones, or the error.
    std::string multiplied(Index rows) const {
        const Matrix x(rows, kDepth,
                       std::vector<float>(static_cast<std::size_t>(rows * kDepth), 1));
        Matrix out(rows, kColumns);
        try {
            multiply(x.view(), w, out.view(), {});
        } catch (const ParameterReadError &problem) {
            return problem.error.what.text();
        }
        for (const float number : out.values())
            if (number != kDepth)
                return "other numbers";
        return "as expected";
    }

    std::filesystem::path path;
    std::shared_ptr<const NumberFile> file;
    StepParameter w;
};

/// Returns the kilobytes of mapped files in the memory of this process.
int filePagesOfProcess() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (int kilobytes = 0; word == "RssFile:" && status >> kilobytes)
            return kilobytes;
    return -1;
}

} // namespace

TEST_CASE("products of many rows release the pages of their parameter, others keep them") {
    const FileOfOnes ones(freshFolder("pages") / "ones");
    if (filePagesOfProcess() < 0) {
        MESSAGE("skipped: the system does not say how many pages of files a process has");
        return;
    }
    constexpr int kSize = sizeof(float) * kDepth * kColumns / 1024;
    for (const Index rows : {20, 256}) // loads the code of both products
        CHECK(ones.multiplied(rows) == "as expected");
    const int without = filePagesOfProcess();
    CHECK(ones.multiplied(20) == "as expected");
    CHECK(filePagesOfProcess() - without > kSize * 3 / 4);
    CHECK(ones.multiplied(256) == "as expected");
    CHECK(filePagesOfProcess() - without < kSize / 4);
}

TEST_CASE("truncating a mapped file gives an error, not a signal") {
    const std::filesystem::path folder = freshFolder("cut");
    const FileOfOnes other(folder / "other");
    for (const Index rows : {1, 20}) {
        const FileOfOnes ones(folder / "ones");
        CHECK(ones.multiplied(rows) == "as expected");
        CHECK(ones.file->mapped.isWhole());
        std::filesystem::resize_file(ones.path, 5000);
        CHECK(ones.multiplied(rows).find("truncated") != std::string::npos);
        CHECK_FALSE(ones.file->mapped.isWhole());
        CHECK(ones.multiplied(rows).find("truncated") != std::string::npos);
        CHECK(other.multiplied(rows) == "as expected");
        CHECK(other.file->mapped.isWhole());
    }
}

TEST_CASE("a missing part stays an error, even if the file gets its size and time back") {
    const FileOfOnes ones(freshFolder("again") / "ones");
    CHECK(ones.multiplied(1) == "as expected");
    const auto time = std::filesystem::last_write_time(ones.path);
    const auto size = std::filesystem::file_size(ones.path);
    std::filesystem::resize_file(ones.path, 5000);
    CHECK(ones.multiplied(1) != "as expected");
    std::filesystem::resize_file(ones.path, size);
    std::filesystem::last_write_time(ones.path, time);
    CHECK(ones.multiplied(1) != "as expected");
}

TEST_CASE("writing to a mapped file gives an error") {
    const FileOfOnes ones(freshFolder("written") / "ones");
    CHECK(ones.multiplied(2) == "as expected");
    std::filesystem::last_write_time(ones.path, std::filesystem::last_write_time(ones.path) +
                                                    std::chrono::seconds(1));
    CHECK(ones.multiplied(2) != "as expected");
}

TEST_CASE("many files can be mapped and closed") {
    const std::filesystem::path folder = freshFolder("many");
    for (int turn = 0; turn < 3; ++turn) {
        const FileOfOnes a(folder / "a"), b(folder / "b"), c(folder / "c");
        CHECK(b.multiplied(1) == "as expected");
        CHECK(a.multiplied(3) == "as expected");
        CHECK(c.multiplied(1) == "as expected");
    }
    const auto empty = folder / "empty";
    put(empty, "");
    CHECK((*openNumberFile(empty.string()))->mapped.bytes() == nullptr);
}
