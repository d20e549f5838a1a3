// The numbers of every tensor type, compared with NumPy's (tests/reference/gguf_types.py).
#include "core/formats/gguf/block_storage.h"
#include "core/formats/gguf/gguf_file.h"
#include "core/formats/safetensors/safetensors.h"
#include "core_test.h"
#include "gguf/gguf_bytes.h"
#include "scratch.h"

namespace {

const std::string kTypesFile = std::string(HEADLIGHT_TEST_DATA) + "/gguf/types";

std::vector<float> floatsIn(const NumberStorage &storage, std::uint64_t first,
                            std::uint64_t count) {
    std::vector<std::byte> bytes(count * sizeof(float));
    const Outcome read = storage.read(first * sizeof(float), bytes);
    REQUIRE_MESSAGE(read, (read ? "" : read.error().text()));
    std::vector<float> numbers(count);
    decodeNumbers(NumberType::F32, bytes.data(), static_cast<Index>(count), numbers.data());
    return numbers;
}

} // namespace

TEST_CASE("every type has the values that NumPy decodes") {
    const auto file = valueOf(GgufFile::open(kTypesFile + ".gguf"));
    const auto expected = valueOf(SafetensorsFile::open(kTypesFile + ".safetensors"));
    CHECK(file.tensors().size() == 15);
    for (const GgufTensor &tensor : file.tensors()) {
        CAPTURE(tensor.name);
        CHECK(nameOfGgufType(tensor.type->number) == tensor.type->name);
        const TensorInfo *info = expected.find(tensor.name);
        REQUIRE(info);
        CHECK(tensor.shape == info->shape);
        const Tensor theirs = valueOf(expected.read(*info));
        const StoragePointer ours = valueOf(file.floatsOf(tensor));
        REQUIRE(ours->size() == theirs.values().size() * sizeof(float));
        CHECK(ours->memory() == 0);
        CHECK(ours->source() != nullptr);
        const auto all = floatsIn(*ours, 0, theirs.values().size());
        for (std::size_t i = 0; i < all.size(); ++i) // NumPy may fuse a product with a sum
            REQUIRE(all[i] == doctest::Approx(theirs.values()[i]).epsilon(1e-6));
        // Any part has the same bits as in the whole.
        for (const auto &[first, count] : {std::pair(0u, 1u), {1u, 2u}, {31u, 35u}, {100u, 90u}}) {
            const auto some = floatsIn(*ours, first, count);
            CHECK(std::equal(some.begin(), some.end(), all.begin() + first));
        }
    }
}

TEST_CASE("a piece that begins within a number") {
    const auto file = valueOf(GgufFile::open(kTypesFile + ".gguf"));
    const StoragePointer numbers = valueOf(file.floatsOf(*file.find("q4_k")));
    std::vector<std::byte> whole(4096), piece(37);
    REQUIRE(numbers->read(0, whole));
    REQUIRE(numbers->read(1021, piece));
    CHECK(std::equal(piece.begin(), piece.end(), whole.begin() + 1021));
    CHECK_FALSE(numbers->read(numbers->size() - 1, piece).ok());
    CHECK_FALSE(numbers->read(numbers->size() + 1, {}).ok());
}

TEST_CASE("a scale that is not finite names its tensor") {
    const std::string infinite("\x00\x7C", 2), nan("\x01\xFC", 2), one("\x00\x3C", 2);
    for (const std::string &scale : {infinite, nan}) {
        GgufBytes file;
        file.tensors = {tensorInfo("odd", {32, 2}, 8, 0)}; // Q8_0
        file.data = one + std::string(32, '\1') + scale + std::string(32, '\1');
        const auto path = freshFolder("scales") / "odd.gguf";
        put(path, file.bytes());
        const auto opened = valueOf(GgufFile::open(path.string()));
        const StoragePointer numbers = valueOf(opened.floatsOf(*opened.find("odd")));
        CHECK(floatsIn(*numbers, 0, 32) == std::vector<float>(32, 1));
        std::vector<std::byte> bytes(4);
        const Outcome read = numbers->read(32 * sizeof(float), bytes);
        REQUIRE_FALSE(read.ok());
        CHECK(read.error().what == "a scale of its block 1 is infinite or not a number");
        CHECK(read.error().where == path.string() + ", tensor \"odd\"");
    }
}

TEST_CASE("metadata of every kind, in version 2 and 3") {
    const auto path = freshFolder("kinds") / "kinds.gguf";
    for (const std::uint32_t version : {2u, 3u}) {
        GgufBytes file;
        file.version = version;
        file.keys = {keyOf("u8", GgufKind::U8, "\xFF"),
                     keyOf("i8", GgufKind::I8, "\xFF"),
                     keyOf("u16", GgufKind::U16, "\xFE\xFF"),
                     keyOf("i16", GgufKind::I16, "\xFE\xFF"),
                     keyOf("u32", GgufKind::U32, u32(4'000'000'000)),
                     keyOf("i32", GgufKind::I32, u32(4'294'967'295)),
                     keyOf("u64", GgufKind::U64, u64(std::uint64_t(1) << 40)),
                     keyOf("i64", GgufKind::I64, u64(~std::uint64_t(0))),
                     keyOf("f32", 0.5f),
                     keyOf("f64", GgufKind::F64, u64(std::bit_cast<std::uint64_t>(-0.25))),
                     keyOf("yes", true),
                     keyOf("no", false),
                     keyOf("text", "a \xFF b"), // bytes, not always UTF-8
                     listOf("texts", {"", "one", "two"}),
                     listOf("wholes", GgufKind::I16, {std::string("\1\0", 2), "\xFF\xFF"}),
                     listOf("reals", GgufKind::F32, {f32(1), f32(-2)}),
                     listOf("nothing", GgufKind::U64, {})};
        put(path, file.bytes());
        const auto opened = valueOf(GgufFile::open(path.string()));
        const GgufMetadata &keys = opened.metadata();
        CHECK(keys.keys().size() == file.keys.size());
        CHECK(keys.whole("u8") == 255);
        CHECK(keys.whole("i8") == -1);
        CHECK(keys.whole("u16") == 65534);
        CHECK(keys.whole("i16") == -2);
        CHECK(keys.whole("u32") == 4e9);
        CHECK(keys.whole("i32") == -1);
        CHECK(keys.whole("u64") == std::ldexp(1, 40));
        CHECK(keys.whole("i64") == -1);
        CHECK(keys.real("f32") == 0.5);
        CHECK(keys.real("f64") == -0.25);
        CHECK(keys.flag("yes") == true);
        CHECK(keys.flag("no") == false);
        CHECK(keys.text("text") == "a \xFF b");
        CHECK(keys.texts("texts") == std::vector<std::string_view>{"", "one", "two"});
        CHECK(keys.wholes("wholes") == std::vector<double>{1, -1});
        CHECK(keys.reals("reals") == std::vector<float>{1, -2});
        CHECK(keys.wholes("nothing") == std::vector<double>{});
        // A value of another kind is not converted.
        CHECK_FALSE(keys.whole("f32").has_value());
        CHECK_FALSE(keys.whole("yes").has_value());
        CHECK_FALSE(keys.whole("text").has_value());
        CHECK_FALSE(keys.real("u8").has_value());
        CHECK_FALSE(keys.flag("u8").has_value());
        CHECK_FALSE(keys.text("texts").has_value());
        CHECK_FALSE(keys.texts("wholes").has_value());
        CHECK_FALSE(keys.find("none"));
    }
}
