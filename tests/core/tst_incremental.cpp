// An edit computes what lies after it and takes over the rest, and nothing tells the result from
// one made from scratch.
#include "fixture.h"

#include <algorithm>

using namespace headlight::core;
using namespace headlight::core::test;
using Names = std::vector<std::string>;

namespace {

/// The last parts of what was computed, in order.
Names recomputed(const TracePointer &trace) {
    Names names;
    for (const std::string &name : trace->recomputed())
        names.push_back(name.substr(name.rfind('.') + 1));
    return names;
}

/// The same numbers under one more name, of whatever stage comes last before it.
bool isAlias(const std::string &name) {
    return name == "positioned" || name.ends_with(".input") ||
           (name.ends_with(".output") && !name.ends_with("attention.output"));
}

/// Runs on top of `before`, checks that it is what a run from scratch gives, and says what was
/// computed.
Names after(const TracePointer &before, const Model &model, const Input &input) {
    const TracePointer edited = traceOf(model, input, before);
    const TracePointer fresh = traceOf(model, input);
    REQUIRE(edited->names() == fresh->names());
    for (const std::string &name : fresh->names()) {
        CAPTURE(name);
        CHECK(edited->stage(name).shape() == fresh->stage(name).shape());
        CHECK(edited->stage(name).values() == fresh->stage(name).values());
        const bool wasComputed = std::find(edited->recomputed().begin(), edited->recomputed().end(),
                                           name) != edited->recomputed().end();
        if (!wasComputed && before->has(name) && !isAlias(name))
            CHECK(edited->stage(name).identity() == before->stage(name).identity());
    }
    return recomputed(edited);
}

const Names kFromMask{"masked_scores", "weights", "context", "concatenated", "output"};
const Names kFromScale{"scaled_scores", "masked_scores", "weights",
                       "context",       "concatenated",  "output"};
const Names kAllWithoutPositions{"embeddings", "query",         "key",           "value",
                                 "scores",     "scaled_scores", "masked_scores", "weights",
                                 "context",    "concatenated",  "output"};

} // namespace

TEST_CASE("each edit recomputes exactly what comes after it") {
    const Model model = smallModel();
    const Input input = inputOf({"the money bank", "a river"}, {PaddingMask{}});
    const TracePointer before = traceOf(model, input);
    Model edited = model;
    AttentionWeights &weights = edited.weights.layers[0].selfAttention;
    Random random(99);

    SUBCASE("the first run computes everything") {
        CHECK(recomputed(before) == kAllWithoutPositions);
    }
    SUBCASE("no change, no work") {
        CHECK(after(before, model, input).empty());
    }
    SUBCASE("mask") {
        CHECK(after(before, model, {input.batch, {PaddingMask{}, CausalMask{}}}) == kFromMask);
    }
    SUBCASE("one cell of the mask") {
        const CellMask cell{{{std::nullopt, 0, 1, false}}};
        CHECK(after(before, model, {input.batch, {PaddingMask{}, cell}}) == kFromMask);
    }
    SUBCASE("scale") {
        edited.config.scale.kind = Scale::Kind::Off;
        CHECK(after(before, edited, input) == kFromScale);
        edited.config.scale = {Scale::Kind::Number, 3};
        CHECK(after(before, edited, input) == kFromScale);
    }
    SUBCASE("temperature") {
        edited.config.temperature = 2;
        CHECK(after(before, edited, input) ==
              Names{"weights", "context", "concatenated", "output"});
    }
    SUBCASE("W_Q") {
        weights.query = randomMatrix(random, 4, 4);
        Names expected{"query", "scores"};
        expected.insert(expected.end(), kFromScale.begin(), kFromScale.end());
        CHECK(after(before, edited, input) == expected);
    }
    SUBCASE("W_K and its bias") {
        weights.keyBias = randomMatrix(random, 1, 4);
        Names expected{"key", "scores"};
        expected.insert(expected.end(), kFromScale.begin(), kFromScale.end());
        CHECK(after(before, edited, input) == expected);
    }
    SUBCASE("W_V") {
        weights.value = randomMatrix(random, 4, 4);
        CHECK(after(before, edited, input) == Names{"value", "context", "concatenated", "output"});
    }
    SUBCASE("W_O") {
        weights.output = randomMatrix(random, 4, 4);
        CHECK(after(before, edited, input) == Names{"output"});
    }
    SUBCASE("W_O taken away") {
        weights.output = nullptr;
        CHECK(after(before, edited, input).empty());
    }
    SUBCASE("positions") {
        edited.config.positions = Positions::Sinusoidal;
        Names expected = kAllWithoutPositions;
        expected[0] = "embedding_sum";
        CHECK(after(before, edited, input) == expected);
    }
    SUBCASE("text") {
        CHECK(after(before, model, inputOf({"one two three four"})) == kAllWithoutPositions);
    }
    SUBCASE("one sequence's own embeddings") {
        const Input own{input.batch->withEmbeddings(1, randomMatrix(random, 3, 4)), input.masks};
        CHECK(after(before, model, own) == kAllWithoutPositions);
    }
}

TEST_CASE("an edit in the second layer leaves the first alone") {
    const Model model = smallModel(3);
    const Input input = inputOf({"a b c d"}, {CausalMask{}});
    const TracePointer before = traceOf(model, input);
    Model edited = model;
    Random random(1);
    edited.weights.layers[1].selfAttention.value = randomMatrix(random, 4, 4);
    const TracePointer trace = traceOf(edited, input, before);
    CHECK(trace->recomputed().front() == "layers.1.self_attention.value");
    CHECK(trace->recomputed().size() == 4 + 10); // from there on, and all of the third layer
    CHECK(after(before, edited, input).size() == 14);
}

TEST_CASE("a long chain of edits ends where a fresh start does") {
    Model model = smallModel(2);
    Input input = inputOf({"she saw the bank", "he too"}, {PaddingMask{}});
    TracePointer trace = traceOf(model, input);
    Random random(5);
    for (int step = 0; step < 60; ++step) {
        AttentionWeights &weights =
            model.weights.layers[static_cast<std::size_t>(random.next() % 2)].selfAttention;
        switch (random.next() % 6) {
        case 0:
            weights.query = randomMatrix(random, 4, 4);
            break;
        case 1:
            weights.valueBias = weights.valueBias ? nullptr : randomMatrix(random, 1, 4);
            break;
        case 2:
            model.config.temperature = static_cast<float>(0.1 + random.uniform());
            break;
        case 3:
            input.masks = {PaddingMask{}, WindowMask{static_cast<Index>(1 + random.next() % 4)}};
            break;
        case 4:
            model.config.positions = random.next() % 2 ? Positions::None : Positions::Sinusoidal;
            break;
        default:
            input = inputOf({"word w" + std::to_string(random.next() % 9) + " end"});
        }
        CAPTURE(step);
        after(trace, model, input);
        trace = traceOf(model, input, trace);
    }
}
