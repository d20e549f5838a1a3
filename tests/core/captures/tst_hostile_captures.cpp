// Malicious captures: sizes that are inconsistent, overflow or exhaust memory.
#include "core/formats/capture/captured_session.h"
#include "core/formats/safetensors/writer.h"
#include "core/tokenizers/text/unicode.h"
#include "core_test.h"
#include "tests/core/captures/npz_file.h"
#include "tests/core/scratch.h"

using namespace headlight::test;

namespace {

const std::filesystem::path kHostile =
    std::filesystem::path(HEADLIGHT_TEST_SCRATCH) / "tst_hostile_captures";

std::string errorIn(const std::string &name) {
    const auto capture = readCapture((kHostile / name).string());
    return capture.ok() ? "no error" : capture.error().text();
}

/// Returns the error for stages of these shapes, filled with zeros.
std::string errorOfShapes(const std::vector<std::pair<std::string, Shape>> &stages) {
    std::vector<NamedTensor> tensors;
    for (const auto &[name, shape] : stages)
        tensors.push_back(
            {name, Tensor(shape, std::vector<float>(static_cast<std::size_t>(shape.count())))});
    std::filesystem::create_directories(kHostile);
    put(kHostile / "shapes.safetensors", *safetensorsBytes(tensors, {}));
    return errorIn("shapes.safetensors");
}

/// Returns the error for a header that is followed by `dataBytes` of zeros.
std::string errorOfHeader(const std::string &header, std::uint64_t dataBytes = 0) {
    std::filesystem::create_directories(kHostile);
    put(kHostile / "header.safetensors", littleBytes(header.size(), 8) + header);
    std::filesystem::resize_file(kHostile / "header.safetensors", 8 + header.size() + dataBytes);
    return errorIn("header.safetensors");
}

bool says(const std::string &error, const char *words) {
    CAPTURE(error);
    return error.find(words) != std::string::npos;
}

} // namespace

TEST_CASE("stages of one attention have the same heads and dimensions") {
    const std::string layer = "layers.0.self_attention.";
    CHECK(errorOfShapes({{layer + "weights", {1, 2, 4, 4}}, {layer + "scores", {1, 2, 4, 4}}}) ==
          "no error");
    CHECK(says(errorOfShapes({{layer + "scores", {1, 2, 4, 4}}, {layer + "weights", {1, 8, 4, 4}}}),
               "scores has 2"));
    CHECK(says(errorOfShapes({{layer + "value", {1, 1, 4, 3}}, {layer + "context", {1, 1, 4, 64}}}),
               "value has 3"));
    CHECK(says(errorOfShapes({{layer + "query", {1, 1, 4, 64}}, {layer + "key", {1, 1, 4, 8}}}),
               "query has 64"));
    // The input of a layer may be wider than its output if there is no W_O.
    CHECK(errorOfShapes({{"layers.0.input", {1, 4, 16}}, {layer + "output", {1, 4, 8}}}) ==
          "no error");
    // Layers may differ in their number of heads.
    CHECK(errorOfShapes({{layer + "weights", {1, 2, 4, 4}},
                         {"layers.1.self_attention.weights", {1, 8, 4, 4}}}) == "no error");
}

TEST_CASE("heads and layers are limited") {
    CHECK(says(errorOfShapes({{"attentions.0", {1, 257, 1, 1}}}), "up to 256"));
    CHECK(says(errorOfShapes({{"attentions.256", {1, 1, 1, 1}}}), "256 layers"));
}

TEST_CASE("tokens without names are limited") {
    CHECK(says(errorOfHeader(R"({"attentions.0": {"dtype": "F32",
                                 "shape": [1048576, 0, 1048576, 1048576], "data_offsets": [0, 0]}})"),
               "1048576 sequences"));
    CHECK(says(errorOfHeader(R"({"embeddings": {"dtype": "F16", "shape": [1, 1048576, 1],
                                               "data_offsets": [0, 2097152]}})",
                             2097152),
               "of 1048576 tokens"));
}

TEST_CASE("sizes whose product overflows are refused") {
    const std::string error = errorOfHeader(
        R"({"__metadata__": {"tokens": "[\"a\"]"}, "attentions.0": {"dtype": "F32",
            "shape": [0, 4611686018427387904, 4611686018427387904, 4], "data_offsets": [0, 0]}})");
    CHECK(error != "no error");
}

TEST_CASE("a stage that is not read row by row must fit into memory") {
    // 1.6 GB of data in a sparse file.
    const std::string tokens = [] {
        std::string list;
        for (int i = 0; i < 4096; ++i)
            list += i > 0 ? R"(,\"a\")" : R"(\"a\")";
        return list;
    }();
    CHECK(says(errorOfHeader(R"({"__metadata__": {"tokens": "[)" + tokens +
                                 R"(]"}, "logits": {"dtype": "F16", "shape": [1, 4096, 200000],
                                 "data_offsets": [0, 1638400000]}})",
                             1638400000),
               "would take 3125 MB"));
    std::filesystem::remove(kHostile / "header.safetensors");
}

TEST_CASE("the number of strings is limited") {
    std::filesystem::create_directories(kHostile);
    const std::string many(1048577, 'a');
    put(kHostile / "strings.npz",
        npzBytes({{"tokens.npy", npyBytes(npyHeader("|S1", "1048577,"), many), true},
                  {"attentions.0.npy", npyBytes(npyHeader("<f4", "1, 1, 1"), std::string(4, '\0')),
                   false}}));
    CHECK(says(errorIn("strings.npz"), "1048577 strings"));
}

TEST_CASE("a stage that no trace can have is reported as unknown") {
    CHECK(says(errorOfShapes({{"decoder.logits", {1, 4, 8}}}), "contains nothing"));
}

TEST_CASE("a session with a file name that is not UTF-8 can be read again") {
    errorOfShapes({{"attentions.0", {1, 1, 2, 2}}});
    const std::filesystem::path odd = kHostile / "a\xff.safetensors";
    std::filesystem::copy_file(kHostile / "shapes.safetensors", odd,
                               std::filesystem::copy_options::overwrite_existing);
    const auto session = valueOf(sessionOfCapture(odd.string()));
    CHECK_FALSE(firstInvalidByte(session.title));
    CHECK_FALSE(firstInvalidByte(session.json));
}
