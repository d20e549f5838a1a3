// Safetensors files, as one file or split into parts.
#include "core/formats/files/atomic_file.h"
#include "core/formats/safetensors/writer.h"
#include "core/formats/shard_index.h"
#include "core/random.h"
#include "core/tensor/number_formats.h"
#include "core_test.h"
#include "scratch.h"
#include "tests/fuzz/bytes_as_file.h"

namespace {

const std::string kFile = std::string(HEADLIGHT_TEST_SCRATCH) + "/file.safetensors";

std::string openError(const std::string &bytes) {
    put(kFile, bytes);
    const auto file = SafetensorsFile::open(kFile);
    if (file.ok())
        return "no error";
    CHECK(file.error().where.find(kFile) == 0);
    return file.error().where.substr(kFile.size()) + ": " + file.error().what.text();
}

/// Returns a header with a single tensor "a".
std::string one(const std::string &dtype, const std::string &shape, const std::string &offsets) {
    return "{\"a\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape +
           ",\"data_offsets\":" + offsets + "}}";
}

std::vector<float> numbersOf(const std::string &dtype, const std::string &data) {
    const std::size_t count = data.size() / bytesOf(dtype);
    put(kFile, safetensors(one(dtype, "[" + std::to_string(count) + "]",
                               "[0," + std::to_string(data.size()) + "]"),
                           data));
    const auto file = valueOf(SafetensorsFile::open(kFile));
    const auto tensor = valueOf(file.read(file.tensors()[0]));
    return tensor.values();
}

std::string sample() {
    const std::vector<NamedTensor> tensors{
        {"layers.0.x", Tensor(Shape{2, 3}, {1, -2, 0.1f, -0.0f, 1e-45f, -INFINITY})},
        {"Ünïcode \"quoted\"\n", Tensor(Shape{1}, {7})},
        {"scalar", Tensor(Shape{}, {3})},
        {"empty", Tensor(Shape{0, 4}, {})},
    };
    return valueOf(safetensorsBytes(tensors, {{"tokens", "[\"a\"]"}, {"format", "pt"}}));
}

} // namespace

TEST_CASE("what is written is read back, bit for bit and in the same order") {
    put(kFile, sample());
    const auto file = valueOf(SafetensorsFile::open(kFile));
    CHECK(file.metadata() == Metadata{{"format", "pt"}, {"tokens", "[\"a\"]"}});
    REQUIRE(file.tensors().size() == 4);
    CHECK(file.tensors()[0].name == "layers.0.x");
    CHECK(file.tensors()[1].name == "Ünïcode \"quoted\"\n");
    const auto first = valueOf(file.read(file.tensors()[0]));
    CHECK(first.shape() == Shape{2, 3});
    CHECK(first.values() == std::vector<float>{1, -2, 0.1f, -0.0f, 1e-45f, -INFINITY});
    CHECK(std::signbit(first.values()[3]));
    CHECK(file.read(*file.find("scalar"))->values() == std::vector<float>{3});
    CHECK(file.read(*file.find("empty"))->values().empty());
    CHECK(file.find("none") == nullptr);
}

TEST_CASE("the same tensors give the same bytes, aligned as the format requires") {
    CHECK(sample() == sample());
    CHECK(littleEndian<std::uint64_t>(sample().data()) % 8 == 0);
    const auto bytes = safetensorsBytes({{"a", Tensor(Shape{1}, {1})}}, {});
    const std::string header = "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}";
    CHECK(*bytes == safetensors(header + "  ", std::string("\0\0\x80\x3f", 4)));
}

TEST_CASE("the writer refuses a duplicate name, a reserved one and a missing tensor") {
    const Tensor tensor(Shape{1}, {1});
    CHECK_FALSE(safetensorsBytes({{"a", tensor}, {"a", tensor}}, {}).ok());
    CHECK_FALSE(safetensorsBytes({{"__metadata__", tensor}}, {}).ok());
    CHECK_FALSE(safetensorsBytes({{"a", Tensor()}}, {}).ok());
    CHECK(safetensorsBytes({{"\xff", tensor}}, {}).ok()); // the name is written with U+FFFD
}

TEST_CASE("numbers may come in pieces, one after the other, as many as the shape requires") {
    const auto written = [](std::vector<std::size_t> pieces) -> Result<std::string> {
        const std::vector<float> numbers{1, 2, 3, 4, 5, 6, 7};
        const TensorToWrite tensor{"a", Shape{2, 3}, [&](const TensorToWrite::Numbers &take) {
                                       std::size_t given = 0;
                                       for (const std::size_t count : pieces) {
                                           const std::span<const float> all = numbers;
                                           if (Outcome taken = take(all.subspan(given, count));
                                               !taken)
                                               return taken;
                                           given += count;
                                       }
                                       return Outcome(Done{});
                                   }};
        std::string bytes;
        const Outcome outcome =
            writeSafetensors({tensor}, {}, [&bytes](std::string_view piece) -> Outcome {
                bytes += piece;
                return Done{};
            });
        return outcome ? Result<std::string>(bytes) : outcome.error();
    };
    const auto whole = safetensorsBytes({{"a", Tensor(Shape{2, 3}, {1, 2, 3, 4, 5, 6})}}, {});
    CHECK(*written({1, 5}) == *whole);
    CHECK(*written({6, 0}) == *whole);
    CHECK_FALSE(written({5}).ok());
    CHECK_FALSE(written({6, 1}).ok());
}

TEST_CASE("an error of the sink ends the writing") {
    const Tensor tensor(Shape{1}, {1});
    int pieces = 0;
    const auto give = [&](const TensorToWrite::Numbers &take) { return take({{1.0f}}); };
    const std::vector<TensorToWrite> tensors{{"a", Shape{1}, give}, {"b", Shape{1}, give}};
    const Outcome outcome = writeSafetensors(tensors, {}, [&](std::string_view) -> Outcome {
        if (++pieces == 2)
            return Error{"the disk is full", "", ""};
        return Done{};
    });
    REQUIRE_FALSE(outcome.ok());
    CHECK(outcome.error().what == "the disk is full");
    CHECK(pieces == 2);
}

TEST_CASE("more numbers than are read at once") {
    std::vector<float> values(600000);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i);
    const auto bytes = safetensorsBytes({{"a", Tensor(Shape{600000}, values)}}, {});
    put(kFile, *bytes);
    const auto file = SafetensorsFile::open(kFile);
    CHECK(file->read(file->tensors()[0])->values() == values);
}

TEST_CASE("a float is rounded to the nearest half, and to the even one of two") {
    for (std::uint32_t bits = 0; bits < 0x10000u; ++bits) {
        const auto half = static_cast<std::uint16_t>(bits);
        const float number = halfToFloat(half);
        if (std::isnan(number)) {
            CHECK(std::isnan(halfToFloat(floatToHalf(number))));
            continue;
        }
        REQUIRE(floatToHalf(number) == half);
        if ((half & 0x7FFFu) >= 0x7BFFu) // the largest half, and infinity
            continue;
        const auto next = static_cast<std::uint16_t>(half + 1u); // away from zero
        const float middle = (number + halfToFloat(next)) / 2;   // exact in a float
        REQUIRE(floatToHalf(middle) == (half % 2 == 0 ? half : next));
        REQUIRE(floatToHalf(std::nextafter(middle, number)) == half);
        REQUIRE(floatToHalf(std::nextafter(middle, halfToFloat(next))) == next);
    }
    CHECK(floatToHalf(65519.0f) == 0x7BFF);
    CHECK(floatToHalf(65520.0f) == 0x7C00);
    CHECK(floatToHalf(-1e30f) == 0xFC00);
    CHECK(floatToHalf(1e-10f) == 0);
}

TEST_CASE("half, bfloat16 and double") {
    CHECK(numbersOf("F16", std::string("\x00\x3c\x00\xc0\x01\x00\xff\x7b\x00\xfc\x00\x80", 12)) ==
          std::vector<float>{1, -2, std::ldexp(1.0f, -24), 65504, -INFINITY, -0.0f});
    CHECK(std::isnan(halfToFloat(0x7E00)));
    CHECK(std::isnan(halfToFloat(0xFC01)));
    CHECK(halfToFloat(0x03FF) == std::ldexp(1023.0f, -24));
    CHECK(halfToFloat(0x3555) == 0.333251953125f);
    CHECK(numbersOf("BF16", std::string("\x80\x3f\x00\xc0\x80\xff", 6)) ==
          std::vector<float>{1, -2, -INFINITY});
    std::string doubles(16, '\0');
    const auto bits = std::bit_cast<std::array<char, 16>>(std::array<double, 2>{0.1, -1e300});
    std::copy(bits.begin(), bits.end(), doubles.begin());
    if constexpr (std::endian::native == std::endian::little)
        CHECK(numbersOf("F64", doubles) == std::vector<float>{0.1f, -INFINITY});
}

TEST_CASE("other types are refused by their name, when they are read") {
    put(kFile, safetensors(one("I64", "[1]", "[0,8]"), std::string(8, 'x')));
    const auto file = valueOf(SafetensorsFile::open(kFile));
    const auto tensor = file.read(file.tensors()[0]);
    REQUIRE_FALSE(tensor.ok());
    CHECK(tensor.error().text() == kFile + ", tensor \"a\": its type is \"I64\", which Headlight "
                                           "does not support; save it as F32, F16, BF16 or F64");
}

TEST_CASE("a truncated file is refused") {
    const std::string whole = sample();
    for (std::size_t length = 0; length < whole.size(); ++length) {
        CAPTURE(length);
        CHECK(openError(whole.substr(0, length)) != "no error");
    }
}

TEST_CASE("no flipped bit of the header does harm") {
    const std::string whole = sample();
    const std::size_t end = whole.size() - 7 * sizeof(float) - sizeof(float);
    for (std::size_t at = 0; at < end; ++at)
        for (const int bit : {0, 3, 5, 7}) {
            std::string bytes = whole;
            bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
            put(kFile, bytes);
            const auto file = SafetensorsFile::open(kFile);
            if (!file.ok())
                continue;
            for (const TensorInfo &info : file->tensors())
                (void)file->read(info).ok();
        }
}

TEST_CASE("a header's length is not trusted") {
    const std::string claims = ": its header claims ";
    CHECK(openError(std::string("\xff\xff\xff\xff\xff\xff\xff\xff{}", 10)).find(claims) == 0);
    CHECK(openError(std::string("\x03\0\0\0\0\0\0\0{}", 10)).find(claims) == 0);
    CHECK(openError(std::string("\0\xe1\xf5\x05\0\0\0\0{}", 10)).find(claims) == 0);
    CHECK(openError("1234567") == ": the file is only 7 bytes long");
    CHECK(openError(std::string(8, '\0')).find("not valid JSON") != std::string::npos);
    CHECK(openError(safetensors("{}")) == "no error");
}

TEST_CASE("ranges and shapes that do not agree") {
    const std::string data(16, 'x');
    const auto errorOf = [&](const std::string &header) {
        return openError(safetensors(header, data));
    };
    const std::string a = ", tensor \"a\": ";
    CHECK(errorOf(one("F32", "[4]", "[0,16]")) == "no error");
    CHECK(errorOf(one("F32", "[1]", "[12,16]")) == "no error"); // a gap before the tensor's bytes
    CHECK(errorOf(one("F32", "[5]", "[0,20]")) ==
          a + "its bytes 0 to 20 are outside the file's 16 bytes of data");
    CHECK(errorOf(one("F32", "[1]", "[8,4]")).find(a + "its bytes 8 to 4 are outside") == 0);
    CHECK(errorOf(one("F32", "[1]", "[18446744073709551612,0]")).find(a + "its bytes") == 0);
    CHECK(errorOf(one("F32", "[3]", "[0,16]")) ==
          a + "the shape 3 of F32 needs 12 bytes, but it has 16");
    CHECK(errorOf(one("F32", "[4294967296,4294967296]", "[0,0]")).find("is too large") !=
          std::string::npos);
    CHECK(errorOf(one("F32", "[2305843009213693952]", "[0,0]")).find("needs") != std::string::npos);
    CHECK(errorOf(one("F64", "[4611686018427387904]", "[0,0]")).find("is too large") !=
          std::string::npos);
    CHECK(errorOf(one("F32", "[18446744073709551615]", "[0,0]")) == a + "the shape is too large");
    CHECK(errorOf(one("F32", "[1,1,1,1,1,1,1,1,4]", "[0,16]")) ==
          a + "shape has more than 8 numbers");
    CHECK(errorOf("{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
                  "\"b\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[4,12]}}") ==
          ", tensor \"b\": its bytes overlap those of \"a\"");
}

TEST_CASE("headers that violate the format") {
    const auto errorOf = [](const std::string &header) { return openError(safetensors(header)); };
    const std::string fine = "\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0]";
    CHECK(errorOf("{\"a\":{" + fine + "}}") == "no error");
    for (const std::string &header :
         {std::string(),
          std::string("[]"),
          std::string("5"),
          std::string("{\"a\":5}"),
          std::string("{\"a\":[]}"),
          std::string("{\"a\":null}"),
          std::string("{\"a\":{}}"),
          "{\"a\":{" + fine + "}",
          "{\"a\":{" + fine + "}}x",
          "{\"a\":{" + fine + ",\"b\":1}}",
          "{\"a\":{" + fine + ",\"dtype\":\"F32\"}}",
          "{\"a\":{" + fine + ",\"shape\":[0]}}",
          "{\"a\":{" + fine + "},\"a\":{" + fine + "}}",
          std::string("{\"a\":{\"dtype\":\"F32\",\"shape\":[-1],\"data_offsets\":[0,0]}}"),
          std::string("{\"a\":{\"dtype\":\"F32\",\"shape\":[0.5],\"data_offsets\":[0,0]}}"),
          std::string("{\"a\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0]}}"),
          std::string("{\"a\":{\"dtype\":\"F32\",\"shape\":[[0]],\"data_offsets\":[0,0]}}"),
          std::string("{\"__metadata__\":{\"a\":1}}"),
          std::string("{\"__metadata__\":{\"a\":\"1\",\"a\":\"2\"}}"),
          std::string("{\"__metadata__\":{\"a\":{}}}"),
          std::string("{\"\xff\":{}}"),
          std::string(1000000, '['),
          "{\"a\":" + std::string(1000000, '{')}) {
        CAPTURE(header.substr(0, 80));
        CHECK(errorOf(header) != "no error");
    }
    // Control characters of a malicious name are not printed.
    CHECK(errorOf("{\"\\u001b[31m\\n" + std::string(500, 'n') + "\":{}}").find('\n') ==
          std::string::npos);
}

TEST_CASE("paths that are not files") {
    for (const char *path : {"/nonexistent/file", "/", "/dev/null", ""})
        CHECK_FALSE(SafetensorsFile::open(path).ok());
}

TEST_CASE("random bytes") {
    Random random(77);
    for (int trial = 0; trial < 2000; ++trial) {
        std::string header = "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}";
        for (int change = 0; change < 3; ++change)
            header[random.next() % header.size()] = static_cast<char>(random.next());
        (void)openError(safetensors(header, "data"));
    }
}

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

TEST_CASE("the tensors are in the order of the index, and numbers in its metadata are dropped") {
    const auto index = valueOf(indexOf(R"({"metadata": {"total_size": 36, "prompt": "a b"},
                                   "weight_map": {"z": "2", "a": "1", "m": "2"}})"));
    REQUIRE(index.entries.size() == 3);
    CHECK(index.entries[0].tensor == "z");
    CHECK(index.entries[0].file == "2");
    CHECK(index.entries[2].tensor == "m");
    CHECK(index.metadata == Metadata{{"prompt", "a b"}});
}

TEST_CASE("as many parts as can be open at once") {
    CHECK(indexOf(withParts(kMaxShards)).ok());
    const auto more = indexOf(withParts(kMaxShards + 1));
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

TEST_CASE("each extension has a separate file") {
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
    CHECK(written("3", "") == plain); // the same file in each run
    CHECK(contentOf(plain) == "3");
    CHECK(contentOf(zip) == "two");
}
