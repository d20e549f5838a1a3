// Damaged and hostile GGUF files are refused with a message about what is wrong and where, before
// memory of the claimed size is allocated.
#include "core/formats/capture/capture.h"
#include "core/formats/gguf/gguf_file.h"
#include "core_test.h"
#include "gguf/gguf_bytes.h"
#include "pretrained/folders.h"
#include "scratch.h"

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kHuge = ~std::uint64_t(0);

/// Returns the error of a file with these bytes, without its path; empty if it can be opened.
std::string refusalOf(const std::string &bytes) {
    const fs::path path = freshFolder("damaged") / "x.gguf";
    put(path, bytes);
    const auto file = GgufFile::open(path.string());
    if (file)
        return "";
    CHECK_FALSE(file.error().remedy.empty());
    const std::string all = file.error().text();
    REQUIRE(all.starts_with(path.string()));
    return all.substr(path.string().size());
}

/// Returns a file with one tensor of two rows of four F32 numbers.
GgufBytes soundFile() {
    GgufBytes file;
    file.keys = {keyOf("general.architecture", "llama")};
    file.tensors = {tensorInfo("one", {4, 2}, 0, 0)};
    file.data = std::string(32, '\0');
    return file;
}

struct Damage {
    const char *expected; ///< part of the message
    std::function<void(GgufBytes &)> apply;
};

void checkRefused(const std::vector<Damage> &damages) {
    for (const auto &[expected, apply] : damages) {
        CAPTURE(expected);
        GgufBytes file = soundFile();
        apply(file);
        const std::string refusal = refusalOf(file.bytes());
        CAPTURE(refusal);
        CHECK(refusal.find(expected) != refusal.npos);
    }
}

} // namespace

TEST_CASE("a valid file is read") {
    CHECK(refusalOf(soundFile().bytes()).empty());
    // The padding after the last tensor may be missing.
    GgufBytes file = soundFile();
    file.tensors = {tensorInfo("one", {3}, 0, 0)};
    file.data = std::string(12, '\0');
    CHECK(refusalOf(file.bytes()).empty());
}

TEST_CASE("files that are not GGUF of a known version") {
    std::string bytes = soundFile().bytes();
    bytes[0] = 'g';
    CHECK(refusalOf(bytes).starts_with(": it does not start with GGUF"));
    CHECK(refusalOf("GG").starts_with(": the file ends in its header: it has 2 bytes"));
    checkRefused({
        {"it is GGUF version 1; Headlight reads 2 and 3", [](auto &f) { f.version = 1; }},
        {"it is GGUF version 4;", [](auto &f) { f.version = 4; }},
        {"big-endian", [](auto &f) { f.version = 0x03000000; }},
        {"big-endian", [](auto &f) { f.version = 0; }},
    });
}

TEST_CASE("counts that the file cannot hold") {
    checkRefused({
        {"it claims 18446744073709551615 keys", [](auto &f) { f.keyCount = kHuge; }},
        {"it claims 1000 keys", [](auto &f) { f.keyCount = 1000; }},
        {"it claims 18446744073709551615 tensors", [](auto &f) { f.tensorCount = kHuge; }},
        {"it claims 768614336404564651 tensors",
         [](auto &f) { f.tensorCount = 768614336404564651; }}, // overflows times 24 bytes
        {"it claims 18446744073709551615 numbers",
         [](auto &f) { f.keys.push_back(keyOf("list", GgufKind::List, u32(4) + u64(kHuge))); }},
        {"it claims 4611686018427387904 numbers",
         [](auto &f) {
             f.keys.push_back(keyOf("list", GgufKind::List, u32(4) + u64(kHuge / 4 + 1)));
         }},
        {"it claims 2305843009213693952 texts",
         [](auto &f) {
             f.keys.push_back(keyOf("list", GgufKind::List, u32(8) + u64(kHuge / 8 + 1)));
         }},
        {"the file ends in its header",
         [](auto &f) { f.keys.push_back(keyOf("text", GgufKind::String, u64(kHuge))); }},
        {"the file ends in its header",
         [](auto &f) { f.keys = {u64(kHuge - 8) + "key" + u32(4) + u32(1)}; }},
        {"the file ends in its header",
         [](auto &f) {
             f.keys.push_back(
                 keyOf("list", GgufKind::List, u32(8) + u64(2) + text("a") + u64(kHuge)));
         }},
    });
}

TEST_CASE("invalid keys") {
    checkRefused({
        {"has 0 bytes, expected 1 to 65535", [](auto &f) { f.keys.push_back(keyOf("", 1u)); }},
        {"has 65536 bytes, expected 1 to 65535",
         [](auto &f) { f.keys.push_back(keyOf(std::string(65536, 'k'), 1u)); }},
        {": twice: this key occurs twice",
         [](auto &f) {
             f.keys = {keyOf("twice", 1u), keyOf("twice", 2u)};
         }},
        {": odd: its type has the unknown number 13",
         [](auto &f) { f.keys = {text("odd") + u32(13) + u64(0)}; }},
        {": odd: its type has the unknown number 4294967295",
         [](auto &f) { f.keys = {text("odd") + u32(0xFFFFFFFF) + u64(0)}; }},
        {": odd: its type has the unknown number 99",
         [](auto &f) { f.keys = {keyOf("odd", GgufKind::List, u32(99) + u64(1))}; }},
        {": flag: it should be 0 or 1, but is 2",
         [](auto &f) { f.keys = {keyOf("flag", GgufKind::Bool, "\2")}; }},
        {": split.count: the model is split into several files",
         [](auto &f) { f.keys = {keyOf("split.count", GgufKind::U16, std::string("\3\0", 2))}; }},
    });
}

TEST_CASE("nested lists do not exhaust the stack") {
    std::string deep;
    for (int i = 0; i < 200'000; ++i)
        deep += u32(9) + u64(1);
    checkRefused({{": deep: it is a list of lists", [&deep](auto &f) {
                       f.keys = {keyOf("deep", GgufKind::List, deep + u32(0) + u64(0))};
                   }}});
}

TEST_CASE("invalid alignments") {
    for (const auto &value : {keyOf("general.alignment", 0u), keyOf("general.alignment", 24u),
                              keyOf("general.alignment", "32"), keyOf("general.alignment", 32.0f),
                              keyOf("general.alignment", GgufKind::U64, u64(32)),
                              keyOf("general.alignment", GgufKind::I32, u32(32))})
        checkRefused({{": general.alignment: it should be a power of two",
                       [&value](auto &f) { f.keys = {value}; }}});
    // A large alignment puts the data after the end of the file, even without tensors.
    checkRefused({{"its data would begin after the end of its", [](auto &f) {
                       f.keys = {keyOf("general.alignment", 1u << 31)};
                       f.tensors.clear();
                   }}});
    GgufBytes file = soundFile();
    file.keys = {keyOf("general.alignment", 256u)};
    file.alignment = 256;
    CHECK(refusalOf(file.bytes()).empty());
}

TEST_CASE("invalid tensors") {
    const auto tensor = [](const std::string &info) {
        return [info](GgufBytes &f) { f.tensors = {info}; };
    };
    checkRefused({
        {"the tensor's name at byte", tensor(tensorInfo("", {4}, 0, 0))},
        {"has 64 bytes, expected 1 to 63", tensor(tensorInfo(std::string(64, 'n'), {4}, 0, 0))},
        {"tensor \"one\": it has 0 dimensions", tensor(tensorInfo("one", {}, 0, 0))},
        {"tensor \"one\": it has 5 dimensions", tensor(tensorInfo("one", {1, 1, 1, 1, 1}, 0, 0))},
        {"tensor \"one\": it has 4294967295 dimensions",
         tensor(text("one") + u32(0xFFFFFFFF) + u64(1) + u32(0) + u64(0))},
        {"tensor \"one\": one of its dimensions is 0", tensor(tensorInfo("one", {4, 0}, 0, 0))},
        {"tensor \"one\": its dimensions are too large", tensor(tensorInfo("one", {kHuge}, 0, 0))},
        {"tensor \"one\": its dimensions are too large",
         tensor(tensorInfo("one", {std::uint64_t(1) << 32, std::uint64_t(1) << 32}, 0, 0))},
        {"tensor \"one\": its dimensions are too large",
         tensor(tensorInfo("one", {std::uint64_t(1) << 62}, 0, 0))}, // its size in bytes overflows
        {"tensor \"one\": its rows have 33 numbers, but a block of Q4_0 has 32",
         tensor(tensorInfo("one", {33, 32}, 2, 0))},
        {"tensor \"one\": its rows have 128 numbers, but a block of Q6_K has 256",
         tensor(tensorInfo("one", {128, 2}, 14, 0))},
        {"tensor \"one\": its type is IQ2_XXS, which Headlight does not read",
         tensor(tensorInfo("one", {256}, 16, 0))},
        {"tensor \"one\": its type is MXFP4", tensor(tensorInfo("one", {32}, 39, 0))},
        {"tensor \"one\": its type is Q4_2", tensor(tensorInfo("one", {32}, 4, 0))},
        {"tensor \"one\": its type is number 99", tensor(tensorInfo("one", {32}, 99, 0))},
        {"tensor \"one\": its type is number 4294967295",
         tensor(tensorInfo("one", {32}, 0xFFFFFFFF, 0))},
    });
    checkRefused({{"tensor \"one\": a second tensor has the same name", [](auto &f) {
                       f.tensors = {tensorInfo("one", {4}, 0, 0), tensorInfo("one", {4}, 0, 32)};
                   }}});
}

TEST_CASE("offsets outside the data") {
    const auto at = [](std::uint64_t offset) {
        return [offset](GgufBytes &f) { f.tensors = {tensorInfo("one", {8}, 0, offset)}; };
    };
    checkRefused({
        {"tensor \"one\": its offset 8 is not a multiple of 32", at(8)},
        {": 32 bytes are missing", at(32)},
        {"tensor \"one\": its offset 18446744073709551584 is too large", at(kHuge - 31)},
        {"bytes are missing", at((kHuge >> 1) / 32 * 32)},
    });
    checkRefused({{"tensor \"two\": its bytes overlap those of \"one\"", [](auto &f) {
                       f.tensors = {tensorInfo("one", {16}, 0, 0), tensorInfo("two", {8}, 0, 32)};
                       f.data = std::string(64, '\0');
                   }}});
    // Gaps between tensors are allowed, and so is a different order than in the header.
    GgufBytes file = soundFile();
    file.tensors = {tensorInfo("two", {8}, 0, 64), tensorInfo("one", {8}, 0, 0)};
    file.data = std::string(96, '\0');
    CHECK(refusalOf(file.bytes()).empty());
}

TEST_CASE("a truncated file is refused") {
    const std::string whole = contentOf(fs::path(HEADLIGHT_TEST_DATA) / "gguf" / "qwen2.gguf");
    for (std::size_t size = 0; size < whole.size() - 32; size += size < 3000 ? 7 : 501) {
        CAPTURE(size);
        const std::string refusal = refusalOf(whole.substr(0, size));
        CHECK_FALSE(refusal.empty());
    }
    CHECK(refusalOf(whole.substr(0, whole.size() - 100)).find("bytes are missing") !=
          std::string::npos);
}

namespace {

/// A model file of tests/data/gguf in which a test changes keys or tensors.
class ChangedModel {
  public:
    explicit ChangedModel(const std::string &name)
        : m_bytes(contentOf(fs::path(HEADLIGHT_TEST_DATA) / "gguf" / (name + ".gguf"))) {}

    /// Replaces bytes with others of the same length.
    ChangedModel &with(const std::string &from, const std::string &to) {
        const std::size_t at = m_bytes.find(from);
        REQUIRE(at != m_bytes.npos);
        REQUIRE(from.size() == to.size());
        m_bytes.replace(at, from.size(), to);
        return *this;
    }
    /// Replaces the four bytes of a numeric key's value.
    ChangedModel &with(const std::string &key, GgufKind kind, const std::string &value) {
        const std::size_t at = m_bytes.find(text(key));
        REQUIRE(at != m_bytes.npos);
        REQUIRE(value.size() == 4);
        m_bytes.replace(at + 8 + key.size(), 8, u32(static_cast<std::uint32_t>(kind)) + value);
        return *this;
    }
    std::vector<std::string> problems() const {
        const fs::path path = freshFolder("changed-model") / "x.gguf";
        put(path, m_bytes);
        std::vector<std::string> texts;
        for (const Error &problem : inspectPretrained(path.string()).problems) {
            CHECK(problem.where.starts_with(path.string()));
            texts.push_back(problem.text().substr(path.string().size()));
        }
        CHECK(readPretrained(path.string()).ok() == texts.empty());
        return texts;
    }
    /// Returns all problems, one per line.
    std::string problem() const {
        std::string all;
        for (const std::string &one : problems())
            all += one + '\n';
        return all;
    }

  private:
    std::string m_bytes;
};

void checkProblem(const ChangedModel &model, const std::string &expected) {
    const std::string problem = model.problem();
    CAPTURE(expected);
    CAPTURE(problem);
    CHECK(problem.find(expected) != problem.npos);
}

} // namespace

TEST_CASE("another architecture is refused by its name") {
    checkProblem(ChangedModel("llama").with(text("llama"), text("mamba")),
                 ": general.architecture: Headlight does not support the architecture \"mamba\"");
    checkProblem(ChangedModel("llama").with("general.architecture", "general.architectura"),
                 ": general.architecture: the file does not name its architecture");
    checkProblem(ChangedModel("llama").with(keyOf("general.name", "random"),
                                            keyOf("general.type", "projec")),
                 ": general.type: the file is of type \"projec\"");
}

TEST_CASE("keys that do not fit the model are named as in the file") {
    const auto number = [](const char *key, std::uint32_t value) {
        return ChangedModel("llama").with(key, GgufKind::U32, u32(value));
    };
    const auto real = [](const char *key, float value) {
        return ChangedModel("llama").with(key, GgufKind::F32, f32(value));
    };
    for (const char *key :
         {"llama.block_count", "llama.attention.head_count", "llama.embedding_length",
          "llama.feed_forward_length", "llama.attention.head_count_kv", "llama.context_length"}) {
        checkProblem(number(key, 0), std::string(": ") + key + ": ");
        checkProblem(ChangedModel("llama").with(key, GgufKind::F32, f32(2)),
                     std::string(": ") + key + ": expected a whole number, found a number");
        checkProblem(ChangedModel("llama").with(key, GgufKind::I32, u32(0xFFFFFFFF)),
                     std::string(": ") + key + ": ");
    }
    for (const char *key : {"llama.block_count", "llama.attention.head_count",
                            "llama.embedding_length", "llama.feed_forward_length"})
        checkProblem(number(key, 0xFFFFFFFF), std::string(": ") + key + ": ");
    for (const char *key : {"llama.attention.layer_norm_rms_epsilon", "llama.rope.freq_base"}) {
        for (const float value : {0.0f, -1.0f, std::numeric_limits<float>::infinity(),
                                  std::numeric_limits<float>::quiet_NaN()})
            checkProblem(real(key, value), std::string(": ") + key + ": ");
        checkProblem(number(key, 1), std::string(": ") + key + ": expected a number");
    }
    checkProblem(number("llama.rope.dimension_count", 3), ": llama.rope.dimension_count: ");
    checkProblem(number("llama.rope.dimension_count", 400), ": llama.rope.dimension_count: ");
    checkProblem(number("llama.embedding_length", 13), ", tensor \"token_embd.weight\": it is ");
    checkProblem(number("llama.block_count", 3), ": the tensor \"blk.2.attn_q.weight\" is missing");
    checkProblem(ChangedModel("gpt2").with("gpt2.attention.head_count", GgufKind::U32, u32(5)),
                 ": gpt2.attention.head_count: ");
}

TEST_CASE("blocks of different sizes are refused") {
    const char *key = "llama.attention.head_count_kv";
    const auto heads = [key](std::uint32_t first, std::uint32_t second) {
        return listOf(key, GgufKind::I32, {u32(first), u32(second)});
    };
    CHECK(ChangedModel("llama-grouped-tied").problems().empty());
    checkProblem(ChangedModel("llama-grouped-tied").with(heads(2, 2), heads(2, 1)),
                 std::string(": ") + key + ": the blocks have different numbers");
}

TEST_CASE("tensors that do not fit the model are named as in the file") {
    checkProblem(ChangedModel("llama").with("blk.1.ffn_down.weight", "blk.1.ffn_dawn.weight"),
                 ": the tensor \"blk.1.ffn_down.weight\" is missing");
    checkProblem(ChangedModel("gpt2").with("blk.0.attn_qkv.bias", "blk.0.attn_qkv.bios"),
                 ": the tensor \"blk.0.attn_qkv.bias\" is missing");
    checkProblem(ChangedModel("bert").with("token_types.weight", "token_typos.weight"),
                 ": the tensor \"token_types.weight\" is missing");
    checkProblem(ChangedModel("llama").with(
                     tensorInfo("blk.0.attn_q.weight", {12, 12}, 0, 0).substr(0, 8 + 19 + 4 + 16),
                     tensorInfo("blk.0.attn_q.weight", {144, 1}, 0, 0).substr(0, 8 + 19 + 4 + 16)),
                 ", tensor \"blk.0.attn_q.weight\": it is 1 × 144, expected 12 × 12");
    // An unknown tensor, here a misspelt optional one, is ignored with a warning.
    const fs::path path = freshFolder("unknown") / "x.gguf";
    std::string bytes = contentOf(fs::path(HEADLIGHT_TEST_DATA) / "gguf" / "llama.gguf");
    bytes.replace(bytes.find("output.weight", bytes.find("output_norm.weight")), 13,
                  "outpat.weight");
    put(path, bytes);
    const auto folder = opened(path);
    REQUIRE(folder->warnings.size() == 1);
    CHECK(folder->warnings[0].text().find("\"outpat.weight\"") != std::string::npos);
    CHECK(folder->outputTensor == "token_embd.weight");
}

TEST_CASE("factors of rotary positions that are not Llama 3's are refused") {
    const std::string name = "rope_freqs.weight";
    const std::string bytes = contentOf(fs::path(HEADLIGHT_TEST_DATA) / "gguf" / "llama-3.gguf");
    // The factors are the last tensor: 1, …, 8.
    const std::size_t at = bytes.rfind(f32(8));
    REQUIRE(at != bytes.npos);
    ChangedModel model("llama-3");
    model.with(bytes.substr(at - 8, 12), bytes.substr(at - 8, 8) + f32(7));
    checkProblem(model, ", tensor \"rope_freqs.weight\": its factors of rotary positions are not");
}

TEST_CASE("the number of tokens must match the rows of the embeddings") {
    const std::size_t sizes = 8 + 17 + 4 + 16; // name, rank and dimensions
    checkProblem(
        ChangedModel("bert").with(tensorInfo("token_embd.weight", {12, 23}, 0, 0).substr(0, sizes),
                                  tensorInfo("token_embd.weight", {12, 22}, 0, 0).substr(0, sizes)),
        ": tokenizer.ggml.tokens: there are 23 tokens, but 22 rows of embeddings");
}
