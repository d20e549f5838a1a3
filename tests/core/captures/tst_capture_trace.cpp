#include "core/formats/capture/capture_trace.h"
#include "core/formats/capture/stages.h"
#include "core_test.h"

namespace {

std::string errorText(const Result<TracePointer> &trace) {
    return trace.ok() ? std::string() : trace.error().text();
}

Tensor zeroTensor(const Shape &shape) {
    return {shape, std::vector<float>(static_cast<std::size_t>(shape.count()))};
}

Capture captureOf(std::vector<CapturedStage> stages, TokenLists tokens = {{"a", "b", "[PAD]"}}) {
    return {std::move(tokens), {}, std::move(stages), {}, {}};
}

} // namespace

TEST_CASE("a capture can have every stage of ours") {
    for (const StageInfo &info : allStages()) {
        const std::string name = stageName(info.stage, {});
        CAPTURE(name);
        const auto known = valueOf(captureStage(name, false));
        const bool overKeys = known.axes.ends_with('S'), perHead = known.axes.size() == 4;
        CHECK(overKeys == info.overKeys());
        CHECK(perHead == info.perHead);
        CHECK((known.axes.size() == 2) == info.rowsAreSequences());
    }
}

TEST_CASE("sizes come from the shapes, stages stay as they were read") {
    const Tensor weights = zeroTensor({1, 4, 3, 3});
    const auto trace =
        traceOf(captureOf({{"layers.2.self_attention.weights", weights},
                           {"layers.2.self_attention.context", zeroTensor({1, 4, 3, 8})},
                           {"layers.2.output", zeroTensor({1, 3, 20})}}));
    REQUIRE(trace.ok());
    CHECK((*trace)->model().config.heads == 4);
    CHECK((*trace)->model().config.headSize == 8);
    CHECK((*trace)->model().config.width == 20);
    CHECK((*trace)->model().parameters.main.layers.size() == 3);
    CHECK((*trace)->stage(Stage::AttentionWeights, 2).identity() == weights.identity());
    CHECK((*trace)->stage(Stage::AttentionWeights, 0).isNull());
    CHECK((*trace)->batch()[0].length == 2); // the third token is padding
    CHECK_FALSE((*trace)->mask(0).hidesAnything());
    CHECK((*trace)->names().size() == 3);
}

TEST_CASE("only stages outside the layers") {
    const auto trace = valueOf(traceOf(captureOf({{"logits", zeroTensor({1, 3, 7})}})));
    CHECK(trace->model().config.heads == 1);
    CHECK(trace->model().parameters.main.layers.size() == 1);
}

TEST_CASE("shared keys stay as they are, and each query head finds its group's") {
    const auto trace =
        traceOf(captureOf({{"layers.0.self_attention.query", zeroTensor({2, 4, 1, 1})},
                           {"layers.0.self_attention.key", {Shape{2, 2, 1, 1}, {1, 2, 3, 4}}},
                           {"layers.0.self_attention.value", {Shape{2, 2, 1, 1}, {5, 6, 7, 8}}}},
                          {{"a"}, {"b"}}));
    REQUIRE(trace.ok());
    CHECK((*trace)->model().config.groups() == 2);
    CHECK((*trace)->stage(Stage::Key).values() == std::vector<float>{1, 2, 3, 4});
    for (Index b = 0; b < 2; ++b)
        for (Index head = 0; head < 4; ++head) {
            const float group = static_cast<float>(2 * b + head / 2);
            CHECK((*trace)->matrix(Stage::Key, {}, b, head)(0, 0) == 1 + group);
            CHECK((*trace)->matrix(Stage::Value, {}, b, head)(0, 0) == 5 + group);
        }
}

TEST_CASE("two sequences, with an encoder or without") {
    Capture cross = captureOf({{"layers.0.cross_attention.weights", zeroTensor({1, 2, 3, 2})}});
    cross.sourceTokens = {{"x", "y"}};
    const auto alone = valueOf(traceOf(cross));
    const AttentionId attention(0, Block::CrossAttention);
    CHECK(!alone->model().hasEncoder());
    CHECK(textsOf(alone->keys(attention)[0].tokens) == std::vector<std::string>{"x", "y"});
    CHECK(alone->queries(attention)[0].tokens.front().text == "a");
    CHECK(alone->mask(0, attention).queries() == 3);
    CHECK(alone->mask(0, attention).keys() == 2);
    Capture both =
        captureOf({{"encoder.layers.2.self_attention.weights", zeroTensor({1, 2, 2, 2})},
                   {"decoder.layers.0.self_attention.weights", zeroTensor({1, 2, 3, 3})},
                   {"decoder.layers.1.cross_attention.weights", zeroTensor({1, 2, 3, 2})}});
    both.sourceTokens = {{"x", "y"}};
    const auto trace = valueOf(traceOf(both));
    CHECK(trace->model().layerCount(Stack::Encoder) == 3);
    CHECK(trace->model().layerCount(Stack::Decoder) == 2);
    CHECK(trace->mask(0, {2, Block::SelfAttention, Stack::Encoder}).keys() == 2);
    CHECK(trace->has(Stage::AttentionWeights, {1, Block::CrossAttention, Stack::Decoder}));
}

TEST_CASE("layers may have different numbers of heads") {
    const auto trace =
        traceOf(captureOf({{"layers.0.self_attention.weights", zeroTensor({1, 4, 3, 3})},
                           {"layers.1.self_attention.weights", zeroTensor({1, 2, 3, 3})},
                           {"layers.1.self_attention.key", zeroTensor({1, 1, 3, 5})}}));
    REQUIRE(trace.ok());
    const Model &model = (*trace)->model();
    CHECK(model.headsOf(AttentionId(0)) == 4);
    CHECK(model.headsOf(AttentionId(1)) == 2);
    CHECK(model.headsOf(Stack::Main) == 4);
    CHECK(model.isCaptured());
    CHECK(model.hasAttention(AttentionId(1)));
    CHECK_FALSE(model.hasAttention(AttentionId(2)));
    CHECK(hasStage(model, Stage::AttentionWeights, 0));
    CHECK_FALSE(hasStage(model, Stage::Key, 0));
    CHECK((*trace)->matrix(Stage::Key, 1, 0, 1).columns == 5);
    CHECK(errorText(forward(model, (*trace)->input())).find("capture") != std::string::npos);
}

TEST_CASE("the marks of tokenizers are read as in a model, if they are certain") {
    const auto readAs = [](const TokenLists &tokens) {
        const auto length = static_cast<Index>(tokens.front().size());
        const auto trace = valueOf(traceOf(
            captureOf({{"layers.0.self_attention.weights",
                        zeroTensor({static_cast<Index>(tokens.size()), 1, length, length})}},
                      tokens)));
        TokenLists read;
        for (const Sequence &sequence : trace->batch().sequences())
            read.push_back(textsOf(sequence.tokens));
        return read;
    };
    using Lists = TokenLists;
    CHECK(readAs({{"<|endoftext|>", "Art", "ificial", "Ġcaf", "Ã©", "Ċ"}}) ==
          Lists{{"<|endoftext|>", "Art", "ificial", " caf", "é", "\n"}});
    // A character of several tokens, and a special token with other characters.
    CHECK(readAs({{"<｜begin▁of▁text｜>", "Ġso", "ĠâĤ", "¬"}}) ==
          Lists{{"<｜begin▁of▁text｜>", " so", " <0xE2><0x82>", "<0xAC>"}});
    CHECK(readAs({{"<s>", "▁The", "▁un", "seen", "▁"}}) ==
          Lists{{"<s>", " The", " un", "seen", " "}});
    // If one sentence shows the kind of marks, the others are read in the same way.
    CHECK(readAs({{"The", "Ġcat"}, {"Caf", "Ã©"}}) == Lists{{"The", " cat"}, {"Caf", "é"}});
    // Maltese words begin with Ġ, and the byte that é would mean is not valid text.
    for (const Lists &uncertain :
         {Lists{{"Ġorġ", "jiekol"}}, Lists{{"Ġcat", "é"}}, Lists{{"Ġcat", "two words"}},
          Lists{{"Ġcat", "▁dog"}}, Lists{{"▁cat", " dog"}}, Lists{{"play", "##ing"}}})
        CHECK(readAs(uncertain) == uncertain);
}

TEST_CASE("tokens are words only if the text is split into them") {
    const auto isSplit = [](const std::vector<std::string> &tokens, const std::string &prompt) {
        const auto length = static_cast<Index>(tokens.size());
        Capture capture = captureOf(
            {{"layers.0.self_attention.weights", zeroTensor({1, 1, length, length})}}, {tokens});
        capture.metadata["prompt"] = prompt;
        const auto trace = valueOf(traceOf(capture));
        CHECK(trace->batch()[0].text == prompt);
        return trace->batch()[0].isSplit;
    };
    CHECK(isSplit({"The", "cat", "."}, "The cat."));
    CHECK_FALSE(isSplit({"Art", "ificial", " cats"}, "Artificial cats"));
    CHECK_FALSE(isSplit({"The", "cat"}, ""));
}

TEST_CASE("captures that cannot be shown") {
    const auto errorOf = [](const Capture &capture) {
        const auto trace = traceOf(capture);
        return trace.ok() ? std::string("no error") : trace.error().what.text();
    };
    CHECK(errorOf(captureOf({{"layers.0.self_attention.weights", zeroTensor({1, 1, 1, 1})}},
                            {{"[PAD]"}})) == "the sequence contains only padding");
}
