// Captures in parts, with other programs' names, and captures too large for memory.
#include "core/checks/capture_check.h"
#include "core/formats/capture/capture_trace.h"
#include "core/formats/safetensors/writer.h"
#include "core_test.h"
#include "tests/core/scratch.h"

namespace {

const std::filesystem::path kFolder =
    std::filesystem::path(HEADLIGHT_TEST_SCRATCH) / "tst_capture_files";

/// Returns a tensor with the numbers 0, 1, 2, …
Tensor counting(const Shape &shape) {
    std::vector<float> numbers(static_cast<std::size_t>(shape.count()));
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = static_cast<float>(i);
    return {shape, std::move(numbers)};
}

void write(const std::string &name, const std::vector<NamedTensor> &tensors,
           const Metadata &metadata = {}) {
    std::filesystem::create_directories(kFolder);
    put(kFolder / name, *safetensorsBytes(tensors, metadata));
}

Result<Capture> read(const std::string &name) {
    return readCapture((kFolder / name).string());
}

std::string errorOf(const std::string &name) {
    const auto capture = read(name);
    return capture.ok() ? "no error" : capture.error().text();
}

std::vector<std::string> stagesOf(const std::string &name) {
    const auto capture = valueOf(read(name));
    std::vector<std::string> names;
    for (const CapturedStage &stage : capture.stages)
        names.push_back(stage.name);
    return names;
}

/// Writes a sparse safetensors file whose data are holes that read as zeros.
void writeSparse(const std::string &name, const std::string &header, std::uint64_t dataBytes) {
    std::string length(8, '\0');
    for (int i = 0; i < 8; ++i)
        length[static_cast<std::size_t>(i)] = static_cast<char>(header.size() >> (8 * i));
    std::filesystem::create_directories(kFolder);
    put(kFolder / name, length + header);
    std::filesystem::resize_file(kFolder / name, 8 + header.size() + dataBytes);
}

} // namespace

TEST_CASE("a capture in parts is read as one") {
    write("part-1.safetensors", {{"attentions.0", counting({1, 2, 2})}},
          {{"tokens", R"(["a","b"])"}});
    write("part-2.safetensors", {{"attentions.1", counting({1, 2, 2})}, {"loss", counting({1})}});
    put(kFolder / "two.safetensors.index.json",
        R"({"metadata": {"total_size": 36, "prompt": "a b"},
            "weight_map": {"attentions.1": "part-2.safetensors", "loss": "part-2.safetensors",
                           "attentions.0": "part-1.safetensors"}})");
    const auto capture = valueOf(read("two.safetensors.index.json"));
    CHECK(capture.tokens == TokenLists{{"a", "b"}});
    CHECK(capture.metadata.at("prompt") == "a b");
    CHECK(capture.ignored == std::vector<std::string>{"loss"});
    REQUIRE(capture.stages.size() == 2);
    CHECK(capture.stages[0].name == "layers.0.self_attention.weights");
    CHECK(capture.stage("layers.1.self_attention.weights").values() ==
          std::vector<float>{0, 1, 2, 3});
}

TEST_CASE("parts are next to their index and nowhere else") {
    const auto withPart = [](const std::string &part) {
        put(kFolder / "bad.safetensors.index.json",
            R"({"weight_map": {"attentions.0": )" + part + "}}");
        return errorOf("bad.safetensors.index.json");
    };
    write("part.safetensors", {{"attentions.1", counting({1, 1, 1})}});
    for (const char *part : {R"("../part.safetensors")", R"("/etc/passwd")", R"("")", R"("..")",
                             R"("a/b.safetensors")", "7", R"("a\u0000b")"})
        CHECK(withPart(part).find("not the name of a file in the index's folder") !=
              std::string::npos);
    CHECK(withPart(R"("gone.safetensors")").find("gone.safetensors") != std::string::npos);
    CHECK(withPart(R"("part.safetensors")").find("although the index lists it") !=
          std::string::npos);
    for (const char *text :
         {"", "[]", "{}", R"({"weight_map": {}})", R"({"weight_map": 1})", "x"}) {
        put(kFolder / "bad.safetensors.index.json", text);
        CHECK(errorOf("bad.safetensors.index.json") != "no error");
    }
}

TEST_CASE("the names of TransformerLens") {
    const Metadata tokens{{"tokens", R"(["a","b","c"])"}};
    write("hooks.safetensors",
          {{"blocks.1.attn.hook_pattern", counting({1, 2, 3, 3})},
           {"blocks.0.attn.hook_pattern", counting({2, 3, 3})}, // without the batch dimension
           {"blocks.0.attn.hook_attn_scores", counting({1, 2, 3, 3})},
           {"blocks.0.attn.hook_q", counting({1, 3, 2, 4})},
           {"blocks.0.attn.hook_k", counting({1, 3, 1, 4})},
           {"blocks.0.attn.hook_z", counting({3, 2, 5})},
           {"blocks.0.hook_resid_pre", counting({1, 3, 8})},
           {"blocks.0.mlp.hook_pre", counting({1, 3, 7})},
           {"hook_embed", counting({1, 3, 8})},
           {"ln_final.hook_scale", counting({1, 3, 1})}},
          tokens);
    CHECK(stagesOf("hooks.safetensors") ==
          std::vector<std::string>{
              "embeddings", "layers.0.self_attention.weights",
              "layers.0.self_attention.masked_scores", "layers.0.self_attention.query",
              "layers.0.self_attention.key", "layers.0.self_attention.context", "layers.0.input",
              "layers.0.feed_forward.hidden", "layers.1.self_attention.weights"});
    const auto capture = read("hooks.safetensors");
    const Tensor query = capture->stage("layers.0.self_attention.query");
    CHECK(query.shape() == Shape{1, 2, 3, 4}); // heads come before tokens
    for (Index head = 0; head < 2; ++head)
        for (Index token = 0; token < 3; ++token)
            CHECK(query.matrix(0, head)(token, 1) ==
                  static_cast<float>((token * 2 + head) * 4 + 1));
    CHECK(capture->ignored == std::vector<std::string>{"ln_final.hook_scale"});

    // If hook_rot_q and hook_pre_linear exist as well, hook_q and hook_pre are different stages.
    write("rotary.safetensors",
          {{"blocks.0.attn.hook_q", counting({1, 3, 2, 4})},
           {"blocks.0.attn.hook_rot_q", counting({1, 3, 2, 4})},
           {"blocks.0.mlp.hook_pre", counting({1, 3, 7})},
           {"blocks.0.mlp.hook_pre_linear", counting({1, 3, 7})}},
          tokens);
    CHECK(stagesOf("rotary.safetensors") ==
          std::vector<std::string>{"layers.0.self_attention.unrotated_query",
                                   "layers.0.self_attention.query", "layers.0.feed_forward.gate",
                                   "layers.0.feed_forward.hidden"});
    for (const char *name : {"blocks.", "blocks.0", "blocks.01.hook_resid_pre", "blocks.x.hook_q",
                             "blocks.0.attn.hook_other", "blocks.0.ln1.hook_normalized"}) {
        write("none.safetensors", {{name, counting({1, 3, 3})}}, tokens);
        CHECK(errorOf("none.safetensors").find("nothing that Headlight recognises") !=
              std::string::npos);
    }
}

TEST_CASE("half-precision types are reported, and checked with their tolerance") {
    // 1/3 is 0x3555 in F16 and 0x3eab in BF16. The sum of three of them differs from 1 by less
    // than the type's tolerance.
    for (const auto &[type, low, high] :
         {std::tuple("F16", '\x55', '\x35'), std::tuple("BF16", '\xab', '\x3e')}) {
        const std::string header =
            std::string(R"({"attentions.0":{"dtype":")") + type +
            R"(","shape":[1,1,3],"data_offsets":[0,6]},)" +
            R"("__metadata__":{"source_tokens":"[\"x\"]","tokens":"[\"a\"]"}})";
        std::string data;
        for (int i = 0; i < 3; ++i)
            data += {low, high};
        std::string cross = header;
        cross.replace(cross.find("attentions.0"), 12, "cross_attentions.0");
        cross.replace(cross.find(R"([\"x\"])"), 7, R"([\"x\",\"y\",\"z\"])");
        std::string length(8, '\0');
        length[0] = static_cast<char>(cross.size());
        put(kFolder / "half.safetensors", length + cross + data);
        const auto capture = valueOf(read("half.safetensors"));
        CHECK(capture.types() == std::vector<std::string>{type});
        CHECK(problemsOf(capture).empty());
    }
    write("full.safetensors", {{"attentions.0", Tensor({1, 1, 1}, {.9995F})}});
    const auto capture = read("full.safetensors");
    REQUIRE(problemsOf(*capture).size() == 1);
    CHECK(problemsOf(*capture)[0].what.text().find("sum to 0.9995") != std::string::npos);
}

TEST_CASE("a capture of many gigabytes is read only where it is shown") {
    const Index layers = 64, heads = 64, tokens = 1024;
    const std::uint64_t each = std::uint64_t(heads) * tokens * tokens * 4;
    std::string header = "{";
    for (Index layer = 0; layer < layers; ++layer)
        header += (layer > 0 ? "," : "") + ("\"attentions." + std::to_string(layer)) +
                  R"(":{"dtype":"F32","shape":[64,1024,1024],"data_offsets":[)" +
                  std::to_string(each * static_cast<std::uint64_t>(layer)) + "," +
                  std::to_string(each * static_cast<std::uint64_t>(layer + 1)) + "]}";
    header += "}";
    writeSparse("large.safetensors", header, each * std::uint64_t(layers));
    {
        // Writes one attention weight of the last head of the last layer.
        std::fstream file(kFolder / "large.safetensors",
                          std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(static_cast<std::streamoff>(8 + header.size() + each * 64 - 4));
        file.write("\0\0\x80\x3f", 4);
    }
    const auto capture = valueOf(read("large.safetensors"));
    CHECK(capture.bytes() == each * 64);
    CHECK_FALSE(capture.stages[0].isHeld());
    const auto made = valueOf(traceOf(capture));
    const Trace &trace = *made;
    CHECK(trace.isByHead(Stage::AttentionWeights, 63));
    CHECK_FALSE(trace.isReady(Stage::AttentionWeights, 63, 0, 63));
    const auto prepared = trace.prepared(Stage::AttentionWeights, 63, 0, 63);
    REQUIRE(prepared.ok());
    CHECK((*prepared)->isReady(Stage::AttentionWeights, 63, 0, 63));
    CHECK_FALSE((*prepared)->isReady(Stage::AttentionWeights, 63, 0, 62));
    CHECK((*prepared)->matrix(Stage::AttentionWeights, 63, 0, 63)(1023, 1023) == 1);
    CHECK(trace.matrix(Stage::AttentionWeights, 63, 0, 62)(1023, 1023) == 0);
    const StepId step = *trace.plan().find({Stage::AttentionWeights, 63});
    CHECK(trace.rows(step, 0, 63, {1023, 1})(0, 1023) == 1);
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = trace.prepared(Stage::AttentionWeights, 5, 0, 5, stop.get_token());
    REQUIRE_FALSE(stopped.ok());

    // Truncates the open file. Reading must fail with an error, not crash.
    std::filesystem::resize_file(kFolder / "large.safetensors", 1 << 20);
    const auto gone = trace.prepared(Stage::AttentionWeights, 30, 0, 5);
    REQUIRE_FALSE(gone.ok());
    CHECK(gone.error().text().find("truncated") != std::string::npos);
    std::filesystem::remove(kFolder / "large.safetensors");
}

TEST_CASE("a medium-sized capture is read layer by layer, with the same result") {
    // 20 layers of 8 MB: too large to keep all, but one layer fits with all its heads.
    const Shape shape{2, 1024, 1024};
    const std::uint64_t each = static_cast<std::uint64_t>(shape.count()) * 4;
    std::string header =
        R"({"layers.3.output":{"dtype":"F32","shape":[1,1024,2],"data_offsets":[)" +
        std::to_string(each * 20) + "," + std::to_string(each * 20 + 8192) + "]}";
    for (int layer = 0; layer < 20; ++layer)
        header += ",\"attentions." + std::to_string(layer) +
                  R"(":{"dtype":"F32","shape":[2,1024,1024],"data_offsets":[)" +
                  std::to_string(each * static_cast<std::uint64_t>(layer)) + "," +
                  std::to_string(each * static_cast<std::uint64_t>(layer + 1)) + "]}";
    header += "}";
    writeSparse("middle.safetensors", header, each * 20 + 8192);
    {
        std::fstream file(kFolder / "middle.safetensors",
                          std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(static_cast<std::streamoff>(8 + header.size() + each * 3));
        file.write("\0\0\xc0\x7f", 4); // NaN
    }
    const auto capture = valueOf(read("middle.safetensors"));
    const auto trace = valueOf(traceOf(capture));
    CHECK_FALSE(trace->isByHead(Stage::AttentionWeights, 3));
    CHECK_FALSE(trace->isReady(Stage::AttentionWeights, 3));
    const auto prepared = trace->prepared(Stage::AttentionWeights, 3);
    REQUIRE(prepared.ok());
    CHECK((*prepared)->isReady(Stage::AttentionWeights, 3));
    CHECK(std::isnan((*prepared)->stage(Stage::AttentionWeights, 3).values()[0]));
    CHECK((*prepared)->stage(Stage::LayerOutput, 3).shape() == Shape{1, 1024, 2});
    const std::vector<Error> problems = problemsOf(capture);
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].text() == "layers.3.self_attention.weights, head 0, row 0, column 0: the "
                                "number is NaN");
    std::filesystem::remove(kFolder / "middle.safetensors");
}
