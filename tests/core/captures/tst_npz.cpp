// Captures in NumPy's .npz format: valid ones and malicious ones.
#include "core/formats/capture/capture.h"
#include "core_test.h"
#include "tests/core/captures/npz_file.h"
#include "tests/core/scratch.h"

using namespace headlight::test;

namespace {

const std::string kNpz = std::string(HEADLIGHT_TEST_SCRATCH) + "/a.npz";

std::string floats(const std::vector<float> &numbers, bool isBigEndian = false) {
    std::string bytes;
    for (const float number : numbers) {
        std::string four = littleBytes(std::bit_cast<std::uint32_t>(number), 4);
        bytes += isBigEndian ? std::string(four.rbegin(), four.rend()) : four;
    }
    return bytes;
}

Result<Capture> readBytes(const std::string &bytes) {
    put(kNpz, bytes);
    return readCapture(kNpz);
}

Capture sound(const std::vector<NpzMember> &members) {
    auto capture = readBytes(npzBytes(members));
    REQUIRE_MESSAGE(capture.ok(), (capture.ok() ? "" : capture.error().text()));
    return *std::move(capture);
}

std::string wrong(const std::string &bytes) {
    const auto capture = readBytes(bytes);
    if (capture.ok())
        return "no error";
    CHECK(capture.error().where.find(kNpz) == 0);
    CHECK_FALSE(capture.error().what.empty());
    return capture.error().what.text();
}

NpzMember weights(bool isDeflated = false) {
    return {"attentions.0.npy", npyBytes(npyHeader("<f4", "1, 2, 2"), floats({1, 0, .25F, .75F})),
            isDeflated};
}

const std::vector<float> kWeights{1, 0, .25F, .75F};

} // namespace

TEST_CASE("stored and deflated arrays, of every version of the header") {
    for (const bool isDeflated : {false, true})
        for (const char version : {'\1', '\2', '\3'}) {
            NpzMember member = weights(isDeflated);
            member.bytes = npyBytes(npyHeader("<f4", "1, 2, 2"), floats(kWeights), version);
            const Capture capture = sound({member});
            CHECK(capture.stage("layers.0.self_attention.weights").values() == kWeights);
            CHECK(capture.countsTokens);
        }
}

TEST_CASE("types, byte orders and orders of the axes") {
    const auto numbersOf = [](const std::string &type, const std::string &data, bool isFortran) {
        return std::vector<float>(
            sound({{"attentions.0.npy", npyBytes(npyHeader(type, "1, 2, 2", isFortran), data)}})
                .stage("layers.0.self_attention.weights")
                .values());
    };
    CHECK(numbersOf(">f4", floats(kWeights, true), false) == kWeights);
    CHECK(numbersOf("=f4", floats(kWeights), false) == kWeights);
    CHECK(numbersOf("<f4", floats({1, .25F, 0, .75F}), true) == kWeights);
    std::string halves = littleBytes(0x3c00, 2) + littleBytes(0, 2) + littleBytes(0x3400, 2) +
                         littleBytes(0x3a00, 2);
    CHECK(numbersOf("<f2", halves, false) == kWeights);
    for (std::size_t i = 0; i < halves.size(); i += 2)
        std::swap(halves[i], halves[i + 1]);
    CHECK(numbersOf(">f2", halves, false) == kWeights);
    std::string doubles;
    for (const float number : kWeights)
        doubles += littleBytes(std::bit_cast<std::uint64_t>(static_cast<double>(number)), 8);
    CHECK(numbersOf("<f8", doubles, false) == kWeights);
}

TEST_CASE("tokens are an array of strings, or the JSON in one") {
    std::string wide;
    for (const char32_t character : std::u32string(U"é\0猫\0", 4))
        wide += littleBytes(character, 4);
    const Capture listed =
        sound({weights(), {"tokens.npy", npyBytes(npyHeader("<U2", "2,"), wide)}});
    CHECK(listed.tokens == TokenLists{{"é", "猫"}});
    CHECK_FALSE(listed.countsTokens);
    const Capture bytes =
        sound({weights(true),
               {"tokens.npy", npyBytes(npyHeader("|S2", "2,"), std::string("a\0bc", 4)), true}});
    CHECK(bytes.tokens == TokenLists{{"a", "bc"}});
    std::string json;
    for (const char character : std::string(R"(["a","b"])"))
        json += littleBytes(static_cast<unsigned char>(character), 4);
    const Capture said = sound({weights(), {"tokens.npy", npyBytes(npyHeader("<U9", ""), json)}});
    CHECK(said.tokens == TokenLists{{"a", "b"}});
}

TEST_CASE("unknown arrays are skipped without reading them") {
    const Capture capture = sound({weights(), {"loss.npy", "nothing"}, {"notes.txt", "x"}});
    CHECK(capture.ignored == std::vector<std::string>{"loss", "notes.txt"});
}

TEST_CASE("arrays that cannot be used") {
    const auto errorOf = [](const std::string &bytes) {
        return wrong(npzBytes({{"attentions.0.npy", bytes}}));
    };
    CHECK(errorOf("x").find("not a NumPy array") != std::string::npos);
    CHECK(
        errorOf(npyBytes(npyHeader("<f4", "1, 2, 2"), floats(kWeights), 4)).find("version is 4") !=
        std::string::npos);
    for (const char *type : {"<i4", "|O", "<c8", "<f3", "|V2", "f4", "<f16", ""})
        CHECK(errorOf(npyBytes(npyHeader(type, "1, 2, 2"), floats(kWeights)))
                  .find("which Headlight does not support") != std::string::npos);
    for (const char *shape : {"1, 2, 3", "1, 2", "2", "", "9223372036854775807, 2, 2"})
        CHECK(errorOf(npyBytes(npyHeader("<f4", shape), floats(kWeights))) != "no error");
    for (const char *header :
         {"", "{", "{}", "[]", "{'descr': '<f4'}", "{'descr': '<f4', 'shape': (1, 2, 2)}",
          "{'descr': '<f4', 'fortran_order': 1, 'shape': (1, 2, 2)}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (1, -2, 2)}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1,1)}",
          "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}",
          "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,2,2)}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (1,2,2)} x"})
        CHECK(errorOf(npyBytes(header, floats(kWeights))).find("cannot be parsed") !=
              std::string::npos);
    // Header sizes beyond the end of the file or above the limit.
    CHECK(errorOf("\x93NUMPY" + std::string("\1\0\xff\x7f", 4) + "{}").find("claims") !=
          std::string::npos);
    CHECK(errorOf("\x93NUMPY" + std::string("\2\0\xff\xff\xff\x7f", 6) + "{}").find("claims") !=
          std::string::npos);
}

TEST_CASE("truncated files") {
    const std::string whole = npzBytes({weights(), weights(true)}).substr(0);
    const std::string two = npzBytes({weights(true), {"attentions.1.npy", weights().bytes}});
    for (std::size_t size = 0; size < two.size(); ++size)
        CHECK(wrong(two.substr(0, size)) != "no error");
    CHECK(wrong(two) == "no error");
    CHECK(wrong(whole).find("duplicate entry") != std::string::npos);
}

TEST_CASE("a directory with wrong sizes or offsets") {
    const std::string good = npzBytes({weights(), {"attentions.1.npy", weights().bytes}});
    const std::size_t directory = good.find("PK\1\2"), end = good.find("PK\5\6");
    const auto with = [&](std::size_t at, std::uint64_t number, int bytes) {
        std::string changed = good;
        changed.replace(at, static_cast<std::size_t>(bytes), littleBytes(number, bytes));
        return wrong(changed);
    };
    const std::size_t second = good.find("PK\1\2", directory + 4);
    CHECK(with(second + 42, 0, 4).find("overlap") !=
          std::string::npos); // both entries start at the same offset
    CHECK(with(directory + 42, 7, 4).find("not at the position that the directory specifies") !=
          std::string::npos);
    CHECK(with(directory + 42, 0x7fffffff, 4).find("outside") != std::string::npos);
    CHECK(with(directory + 20, 0x7fffffff, 4) != "no error"); // compressed size
    CHECK(with(directory + 24, 0x7fffffff, 4) != "no error"); // uncompressed size
    CHECK(with(directory + 20, 0xffffffff, 4) !=
          "no error"); // requires an extra field, which is missing
    CHECK(with(directory + 8, 1, 2).find("encrypted") != std::string::npos);
    CHECK(with(directory + 10, 12, 2).find("method 12") != std::string::npos);
    CHECK(with(directory + 28, 0xffff, 2).find("too early") != std::string::npos);
    CHECK(with(end + 10, 3, 2) != "no error");
    CHECK(with(end + 10, 0xfffe, 2).find("claims") != std::string::npos);
    CHECK(with(end + 12, 0x7fffffff, 4).find("outside") != std::string::npos);
    CHECK(with(end + 16, 0x7fffffff, 4).find("outside") != std::string::npos);
    CHECK(with(end + 16, 0xffffffff, 4).find("cannot be found") != std::string::npos);
}

TEST_CASE("compressed arrays that are not what they claim") {
    const auto deflatedWith = [](auto change) {
        std::string bytes = npzBytes({weights(true)});
        change(bytes, bytes.find("PK\1\2"));
        return wrong(bytes);
    };
    const auto put4 = [](std::string &bytes, std::size_t at, std::uint64_t number) {
        bytes.replace(at, 4, littleBytes(number, 4));
    };
    CHECK(deflatedWith([&](std::string &b, std::size_t at) {
              put4(b, at + 16, 1);
          }).find("checksum") != std::string::npos);
    CHECK(deflatedWith([&](std::string &b, std::size_t at) {
              put4(b, at + 24, 10);
          }).find("contains more") != std::string::npos);
    CHECK(deflatedWith([&](std::string &b, std::size_t at) {
              put4(b, at + 24, 100000);
          }).find("claims") != std::string::npos);
    CHECK(deflatedWith([&](std::string &b, std::size_t at) {
              put4(b, at + 24, 0xfffffffe);
          }).find("compressed arrays expand to more") != std::string::npos);
    CHECK(deflatedWith([&](std::string &b, std::size_t) { b[50] = static_cast<char>(0xff); }) !=
          "no error");
}
