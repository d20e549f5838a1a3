#include "core/formats/capture/capture.h"
#include "core/formats/capture/trace_file.h"
#include "core/glob.h"
#include "core/version.h"
#include "core_test.h"
#include "fixture.h"
#include "scratch.h"

using Names = std::vector<std::string>;

namespace {

const std::string kFile = std::string(HEADLIGHT_TEST_SCRATCH) + "/file.safetensors";

Capture captured(const std::string &bytes) {
    put(kFile, bytes);
    return valueOf(readCapture(kFile));
}

Capture captured(const std::vector<NamedTensor> &tensors, const Metadata &metadata) {
    return captured(*safetensorsBytes(tensors, metadata));
}

std::string refused(const std::vector<NamedTensor> &tensors, const Metadata &metadata) {
    put(kFile, *safetensorsBytes(tensors, metadata));
    const auto capture = readCapture(kFile);
    if (capture.ok())
        return "no error";
    CHECK(capture.error().where.find(kFile) == 0);
    return capture.error().where.substr(kFile.size()) + ": " + capture.error().what.text();
}

Names namesOf(const Capture &capture) {
    Names names;
    for (const CapturedStage &stage : capture.stages)
        names.push_back(stage.name);
    return names;
}

Tensor zeros(const Shape &shape) {
    return Tensor(shape, std::vector<float>(static_cast<std::size_t>(shape.count())));
}

TracePointer sampleTrace() {
    Model model = smallModel(2);
    model.config.positions = Positions::Sinusoidal;
    return traceOf(model, inputOf({"the \"money\" bank", "río"}, {CausalMask{}, PaddingMask{}}));
}

} // namespace

TEST_CASE("globs") {
    CHECK(matchesGlob("*", "a.b"));
    CHECK(matchesGlob("", ""));
    CHECK_FALSE(matchesGlob("", "a"));
    CHECK(matchesGlob("layers.?.*.weights", "layers.3.self_attention.weights"));
    CHECK_FALSE(matchesGlob("layers.?.x", "layers.10.x"));
    CHECK(matchesGlob("*a*b", "xxaxxbxb"));
    CHECK_FALSE(matchesGlob("a*", "ba"));
    CHECK_FALSE(matchesGlob(std::string(200, '*').append("b"), std::string(5000, 'a')));
}

TEST_CASE("a trace reads back as it was, every stage and every token") {
    const TracePointer trace = sampleTrace();
    const auto bytes = valueOf(serializeTrace(*trace));
    CHECK(bytes == *serializeTrace(*trace));
    const Capture capture = captured(bytes);
    CHECK(capture.tokens == TokenLists{{"the", "\"money\"", "bank"}, {"río", "[PAD]", "[PAD]"}});
    CHECK(capture.sourceTokens.empty());
    CHECK(capture.ignored.empty());
    CHECK(capture.metadata.at("format") == "headlight-trace");
    CHECK(capture.metadata.at("headlight") == std::string(version()));
    CHECK(namesOf(capture) == trace->names());
    for (const std::string &name : trace->names()) {
        CAPTURE(name);
        CHECK(capture.stage(name).shape() == trace->stage(name).shape());
        CHECK(capture.stage(name).values() == trace->stage(name).values());
    }
    CHECK(capture.stage("none").isNull());
}

TEST_CASE("a trace that computes its stages on demand gives the same file") {
    const TracePointer whole = sampleTrace();
    for (const Detail detail : {Detail::Ends, Detail::Heads, Detail::Rows})
        for (const char *pattern : {"*", "weights", "*.scores", "layers.1.*", "*head_outputs"}) {
            CAPTURE(pattern);
            const auto trace =
                valueOf(forward(whole->model(), whole->input(), nullptr, {}, detail));
            CHECK(*serializeTrace(*trace, pattern) == *serializeTrace(*whole, pattern));
        }
}

TEST_CASE("writing a trace can be stopped, and ends when the sink fails") {
    const TracePointer whole = sampleTrace();
    const auto trace = *forward(whole->model(), whole->input(), nullptr, {}, Detail::Heads);
    std::stop_source stop;
    int pieces = 0;
    const Outcome stopped = writeTrace(
        *trace, "*",
        [&](std::string_view) -> Outcome {
            if (++pieces == 5)
                stop.request_stop();
            return Done{};
        },
        stop.get_token());
    REQUIRE_FALSE(stopped.ok());
    CHECK(stopped.error().what == "cancelled");
    CHECK(pieces == 5);
    const Outcome full = writeTrace(*trace, "*", [](std::string_view) -> Outcome {
        return Error{"no room", "", ""};
    });
    REQUIRE_FALSE(full.ok());
    CHECK(full.error().what == "no room");
}

TEST_CASE("some stages only, by full name or by its last part") {
    const TracePointer trace = sampleTrace();
    const auto chosen = [&](const char *pattern) {
        return namesOf(captured(*serializeTrace(*trace, pattern)));
    };
    const Names weights{"layers.0.self_attention.weights", "layers.1.self_attention.weights"};
    CHECK(chosen("weights") == weights);
    CHECK(chosen("*weights") == weights);
    CHECK(chosen("layers.1.*.weights") == Names{weights[1]});
    CHECK(chosen("embed*") == Names{"embeddings", "embedding_sum"});
    CHECK(chosen("?uery").size() == 2);
    const auto none = serializeTrace(*trace, "wieghts");
    REQUIRE_FALSE(none.ok());
    CHECK(none.error().text().find("stage: no stage matches \"wieghts\"; there are embeddings, "
                                   "embedding_sum, positioned, layers.0.input, ") == 0);
}

TEST_CASE("short names, in the order of the layers") {
    std::vector<NamedTensor> tensors;
    for (int layer = 11; layer >= 0; --layer)
        tensors.push_back({"attentions." + std::to_string(layer), zeros({2, 3, 3})});
    tensors.push_back({"attentions.12", zeros({1, 2, 3, 3})});
    tensors.push_back({"hidden_states.0", zeros({5})});
    const Capture capture = captured(tensors, {{"tokens", R"(["a","b","c"])"}});
    CHECK(capture.tokens == TokenLists{{"a", "b", "c"}});
    CHECK(capture.ignored == Names{"hidden_states.0"});
    REQUIRE(capture.stages.size() == 13);
    CHECK(capture.stages[2].name == "layers.2.self_attention.weights");
    CHECK(capture.stages[10].name == "layers.10.self_attention.weights");
    CHECK(capture.stages[2].tensor.shape() == Shape{1, 2, 3, 3});
}

TEST_CASE("two sequences") {
    const Metadata both{{"source_tokens", R"(["x","y","z"])"}, {"target_tokens", R"(["a","b"])"}};
    const Capture stacks = captured({{"encoder_attentions.0", zeros({2, 3, 3})},
                                     {"decoder_attentions.0", zeros({2, 2, 2})},
                                     {"cross_attentions.0", zeros({2, 2, 3})},
                                     {"encoder.layers.0.output", zeros({1, 3, 8})}},
                                    both);
    CHECK(stacks.sourceTokens == TokenLists{{"x", "y", "z"}});
    CHECK(stacks.tokens == TokenLists{{"a", "b"}});
    CHECK_FALSE(stacks.stage("encoder.layers.0.self_attention.weights").isNull());
    CHECK_FALSE(stacks.stage("decoder.layers.0.self_attention.weights").isNull());
    CHECK_FALSE(stacks.stage("decoder.layers.0.cross_attention.weights").isNull());
    // Keys and values of cross-attention belong to the source sequence, queries and contexts to the
    // target sequence.
    const std::string cross = "layers.0.cross_attention.";
    CHECK(captured({{cross + "query", zeros({1, 2, 2, 4})},
                    {cross + "key", zeros({1, 2, 3, 4})},
                    {cross + "value", zeros({1, 2, 3, 4})},
                    {cross + "context", zeros({1, 2, 2, 4})},
                    {"layers.0.self_attention.key", zeros({1, 2, 2, 4})},
                    {"source.embeddings", zeros({1, 3, 8})}},
                   both)
              .stages.size() == 6);
    CHECK(refused({{cross + "key", zeros({1, 2, 2, 4})}}, both).find("should be 1 × G × 3 × d") !=
          std::string::npos);
    const Capture alone = captured({{"cross_attentions.0", zeros({2, 2, 3})}}, both);
    CHECK(namesOf(alone) == Names{"layers.0.cross_attention.weights"});
    CHECK(
        refused({{"cross_attentions.0", zeros({2, 3, 2})}}, both).find("should be 1 × H × 2 × 3") !=
        std::string::npos);
    CHECK(refused({{"cross_attentions.0", zeros({2, 2, 3})}}, {{"tokens", R"(["a","b"])"}})
              .find("second sequence") != std::string::npos);
    CHECK(refused({{"cross_attentions.0", zeros({2, 2, 3})}},
                  {{"source_tokens", R"([["x"],["y"]])"}, {"target_tokens", R"(["a"])"}})
              .find("2 sequences of source tokens and 1") != std::string::npos);
}

TEST_CASE("shapes must agree with the tokens") {
    const std::string a = ", tensor \"attentions.0\": ";
    const Metadata three{{"tokens", R"(["a","b","c"])"}};
    CHECK(refused({{"attentions.0", zeros({2, 3, 4})}}, three) ==
          a + "its shape is 2 × 3 × 4, but with these tokens it should be 1 × H × 3 × 3");
    CHECK(refused({{"attentions.0", zeros({2, 2, 3, 3})}}, three).find(a) == 0);
    CHECK(refused({{"attentions.0", zeros({3, 3})}}, three).find(a) == 0);
    CHECK(refused({{"attentions.0", zeros({0, 3, 3})}}, three).find(a) == 0);
    CHECK(refused({{"attentions.0", zeros({2, 3, 3})}}, {{"tokens", R"([["a"],["b"]])"}}).find(a) ==
          0);
    CHECK(refused({{"layers.0.self_attention.query", zeros({1, 2, 4, 8})}}, three)
              .find("should be 1 × H × 3 × d") != std::string::npos);
    CHECK(refused({{"attentions.0", zeros({1, 3, 3})},
                   {"layers.0.self_attention.weights", zeros({1, 1, 3, 3})}},
                  three)
              .find("under two names") != std::string::npos);
}

TEST_CASE("tokens that cannot be read") {
    const auto errorOf = [](const std::string &tokens) {
        return refused({{"attentions.0", zeros({1, 1, 1})}}, {{"tokens", tokens}});
    };
    CHECK(errorOf(R"(["a"])") == "no error");
    CHECK(errorOf(R"([["a"]])") == "no error");
    for (const std::string tokens :
         {"", "a", "{}", "[]", "[[]]", "[1]", R"(["a",1])", R"([["a"],["b","c"]])", R"([[["a"]]])",
          R"(["a",["b"]])", R"([["a"],"b"])", R"(["a"]x)", R"(["a")", "null"})
        CHECK(errorOf(tokens) == ", metadata tokens: the tokens cannot be parsed");
    CHECK(errorOf(std::string(1000000, '[')) == ", metadata tokens: the tokens cannot be parsed");
    // The tokens of the queries are required even if the source tokens are given.
    CHECK(refused({{"attentions.0", zeros({1, 1, 1})}}, {{"source_tokens", R"(["a"])"}}) ==
          ", metadata tokens: the tokens are missing");
}

TEST_CASE("tokens without names are numbered") {
    const Capture capture =
        captured({{"attentions.0", zeros({2, 3, 3})}, {"layers.0.output", zeros({1, 3, 4})}}, {});
    CHECK(capture.countsTokens);
    CHECK(capture.tokens == TokenLists{{"0", "1", "2"}});
    const Capture cross = captured({{"cross_attentions.0", zeros({2, 2, 4, 3})}}, {});
    CHECK(cross.tokens == TokenLists{{"0", "1", "2", "3"}, {"0", "1", "2", "3"}});
    CHECK(cross.sourceTokens == TokenLists{{"0", "1", "2"}, {"0", "1", "2"}});
    CHECK(refused({{"attentions.0", zeros({2, 3, 3})}, {"attentions.1", zeros({2, 4, 4})}}, {})
              .find("attentions.1") != std::string::npos);
}

TEST_CASE("a file without a stage") {
    CHECK(refused({{"wte.weight", zeros({3, 3})}}, {{"tokens", R"(["a"])"}}) ==
          ": it contains nothing that Headlight recognises");
    for (const char *name : {"attentions.", "attentions.-1", "attentions.01", "attentions.0.x",
                             "attentions.99999", "layers.0", "layers.x.input", "layers..input",
                             "encoder.", "", "weights", "layers.0.self_attention."})
        CHECK(refused({{name, zeros({1, 1, 1})}}, {{"tokens", R"(["a"])"}}) ==
              ": it contains nothing that Headlight recognises");
}

TEST_CASE("half precision and a type that cannot be read") {
    const std::string meta = R"({"__metadata__":{"tokens":"[\"a\"]"},"attentions.0":{"dtype":")";
    const std::string rest = R"(","shape":[1,1,1],"data_offsets":[0,2]}})";
    const Capture capture = captured(safetensors(meta + "F16" + rest, std::string("\0\x3c", 2)));
    CHECK(capture.stages[0].tensor.values() == std::vector<float>{1});
    put(kFile, safetensors(meta + "I16" + rest, "xx"));
    const auto integers = readCapture(kFile);
    REQUIRE_FALSE(integers.ok());
    CHECK(integers.error().what == "its type is \"I16\", which Headlight does not support");
}
