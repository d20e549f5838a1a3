// An edit recomputes only the stages that depend on it and reuses the others. The result equals
// that of a full pass.
#include "core/transformer/model/parameter_table.h"
#include "core/transformer/run/affected_stages.h"
#include "core_test.h"
#include "random_models.h"
#include "tests/core/block_models.h"

#include <functional>

using Names = std::vector<std::string>;

namespace {

/// Returns the last part of the name of each recomputed stage, in order.
Names recomputed(const TracePointer &trace) {
    Names names;
    for (const std::string &name : trace->recomputed())
        names.push_back(name.substr(name.rfind('.') + 1));
    return names;
}

/// True for stages that are aliases of an earlier stage.
bool isAlias(const std::string &name) {
    return name == "positioned" || name.ends_with(".input") ||
           (name.ends_with(".output") && !name.ends_with("attention.output"));
}

/// Compares the lists of affected and recomputed stages with the numbers of both traces.
void checkAffected(const Trace &now, const Trace &before) {
    const std::vector<StageId> unaffected =
        unaffectedStages(now.plan(), now.model(), now.input(), before);
    const std::vector<StageId> made = recomputedStages(now, before);
    for (const std::string &name : now.names()) {
        CAPTURE(name);
        const StageId at = *findStageAnywhere(name);
        const bool isMade = std::ranges::binary_search(made, at);
        const bool isUnaffected = std::ranges::binary_search(unaffected, at);
        if (std::ranges::find(now.recomputed(), name) != now.recomputed().end())
            CHECK(isMade);
        if (isUnaffected)
            CHECK(!isMade);
        if (!isMade || isUnaffected) {
            REQUIRE(before.has(name));
            CHECK(now.stage(name).values() == before.stage(name).values());
        }
    }
}

/// Runs with `before` as the previous trace, compares the result with a full pass, and returns the
/// recomputed stages.
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
    checkAffected(*edited, *before);
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
    AttentionParameters &weights = edited.parameters.main.layers[0].selfAttention;
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
    SUBCASE("a layer that hides no more cells") {
        CHECK(after(before, model, {input.batch, {PaddingMask{}, WindowMask{9, true}}}).empty());
    }
    SUBCASE("the same layers in another order") {
        const TracePointer both = traceOf(model, {input.batch, {PaddingMask{}, CausalMask{}}});
        const Input turned{input.batch, {CausalMask{}, PaddingMask{}}};
        CHECK(after(both, model, turned).empty());
        const AttentionId attention;
        const auto by = [&](const TracePointer &trace) {
            return kindOf(trace->maskLayers(attention)[*trace->mask(1, attention).hiddenBy(0, 2)]);
        };
        CHECK(by(both) == "padding");
        CHECK(by(traceOf(model, turned, both)) == "causal");
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
    SUBCASE("W_O removed") {
        weights.output = nullptr;
        CHECK(after(before, edited, input).empty());
    }
    SUBCASE("positions") {
        edited.config.positions = Positions::Sinusoidal;
        Names expected = kAllWithoutPositions;
        expected[0] = "embedding_sum";
        CHECK(after(before, edited, input) == expected);
    }
    SUBCASE("a matrix of positions that becomes one of token types") {
        Model positioned = model, typed = model;
        positioned.config.positions = Positions::Learned;
        positioned.parameters.main.positions = randomMatrix(random, 8, 4);
        typed.parameters.main.tokenTypes = positioned.parameters.main.positions;
        Names expected = kAllWithoutPositions;
        expected[0] = "embedding_sum";
        CHECK(after(traceOf(positioned, input), typed, input) == expected);
    }
    SUBCASE("text") {
        CHECK(after(before, model, inputOf({"one two three four"})) == kAllWithoutPositions);
    }
    SUBCASE("one sequence's own embeddings") {
        const Input own{input.batch->withEmbeddings(1, randomMatrix(random, 3, 4)), input.masks};
        CHECK(after(before, model, own) == kAllWithoutPositions);
    }
}

TEST_CASE("an edited number of distances, short vectors, tuned queries or experts recomputes what "
          "depends on it") {
    using Edit = std::function<void(Config &)>;
    const std::vector<Edit> edits{
        [](Config &config) { config.disentangled.table.maximumDistance = 5; },
        [](Config &config) { config.latent.epsilon = 0.1f; },
        [](Config &config) { config.queryTuning.strength *= 2; },
        [](Config &config) { config.queryTuning.length = 1; },
        [](Config &config) { config.chunkedWindows = false; },
        [](Config &config) { --config.feedForward.chosen; },
        [](Config &config) {
            config.feedForward.normalisesExperts = !config.feedForward.normalisesExperts;
        },
        [](Config &config) { config.feedForward.chosenGroups = 3; },
        [](Config &config) { config.feedForward.expertFactor = 3; },
    };
    std::vector<BlockCase> cases = blockCases();
    for (BlockCase &block : expertCases())
        cases.push_back(std::move(block));
    std::vector<int> met(edits.size());
    for (const BlockCase &block : cases) {
        CAPTURE(block.name);
        const TracePointer before = traceOf(block.model, block.input);
        for (std::size_t edit = 0; edit < edits.size(); ++edit) {
            CAPTURE(edit);
            Model edited = block.model;
            edits[edit](edited.config);
            if (forward(edited, block.input).ok())
                met[edit] += after(before, edited, block.input).empty() ? 0 : 1;
        }
    }
    for (const int models : met)
        CHECK(models > 0);
}

TEST_CASE("an edit in the second layer leaves the first alone") {
    const Model model = smallModel(3);
    const Input input = inputOf({"a b c d"}, {CausalMask{}});
    const TracePointer before = traceOf(model, input);
    Model edited = model;
    Random random(1);
    edited.parameters.main.layers[1].selfAttention.value = randomMatrix(random, 4, 4);
    const TracePointer trace = traceOf(edited, input, before);
    CHECK(trace->recomputed().front() == "layers.1.self_attention.value");
    CHECK(trace->recomputed().size() ==
          4 + 10); // 4 of layer 1, from the value to its output, and 10 of layer 2
    CHECK(after(before, edited, input).size() == 14);
}

TEST_CASE("a stage that a trace computes on demand is recomputed if the edit affects it") {
    const Model model = smallModel(2);
    const Input input = inputOf({"a b c d"}, {CausalMask{}});
    const auto before = valueOf(forward(model, input, nullptr, {}, Detail::Ends));
    const auto stagesAfter = [&](const Model &edited, const Input &changed) {
        const auto now = valueOf(forward(edited, changed, before, {}, Detail::Ends));
        Names names;
        for (const StageId &at : recomputedStages(*now, *before))
            if (at.attention.layer == 1 && infoOf(at.stage).part == Part::Attention)
                names.emplace_back(infoOf(at.stage).lastName());
        std::ranges::sort(names);
        return names;
    };
    CHECK(stagesAfter(model, input).empty());
    Model edited = model;
    Random random(5);
    AttentionParameters &last = edited.parameters.main.layers[1].selfAttention;
    const Names fromValue{"concatenated", "context", "head_outputs", "output", "value"};
    SUBCASE("W_V of the second layer") {
        last.value = randomMatrix(random, 4, 4);
        CHECK(stagesAfter(edited, input) == fromValue);
    }
    SUBCASE("W_Q of the second layer") {
        last.query = randomMatrix(random, 4, 4);
        const Names made = stagesAfter(edited, input);
        for (const char *name : {"query", "scores", "weights", "output"})
            CHECK(std::ranges::count(made, name) == 1);
        for (const char *name : {"key", "value"})
            CHECK(std::ranges::count(made, name) == 0);
    }
    SUBCASE("the mask") {
        const Names made = stagesAfter(model, {input.batch, {DiagonalMask{}}});
        CHECK(std::ranges::count(made, "masked_scores") == 1);
    }
    SUBCASE("the scale") {
        edited.config.scale = {Scale::Kind::Number, 3};
        const Names made = stagesAfter(edited, input);
        CHECK(std::ranges::count(made, "scaled_scores") == 1);
    }
}

namespace {

/// Returns a copy of the parameter with one changed number.
Parameter edited(const Parameter &parameter, Index row, Index column) {
    Matrix matrix = *parameter->toMatrix();
    matrix(row, column) += 0.25f;
    return makeParameter(std::move(matrix));
}

/// A trace of a model with 3 heads of size 2 and biases, over two sequences, one of them padded.
struct ThreeHeads {
    Model model = smallModel(2);
    Input input = inputOf({"the money bank", "a river"}, {PaddingMask{}});

    ThreeHeads() {
        model.config.heads = 3;
        Random random(17);
        for (LayerParameters &layer : model.parameters.main.layers)
            layer = randomLayer(random, model.config, true, true);
    }
    AttentionParameters &last() { return model.parameters.main.layers[1].selfAttention; }
};

} // namespace

TEST_CASE("an edit of one head's numbers recomputes that head alone") {
    ThreeHeads three;
    const TracePointer before = traceOf(three.model, three.input);
    CHECK(before->recomputedHeads() == 6);
    AttentionParameters &weights = three.last();
    Index expected = 1;
    SUBCASE("a cell of W_Q") {
        weights.query = edited(weights.query, 3, 2);
    }
    SUBCASE("a cell of W_K") {
        weights.key = edited(weights.key, 0, 0);
    }
    SUBCASE("a cell of W_V") {
        weights.value = edited(weights.value, 0, 5);
    }
    SUBCASE("a bias") {
        weights.valueBias = edited(weights.valueBias, 0, 5);
    }
    SUBCASE("a row of W_O: the heads' results stay the same") {
        weights.output = edited(weights.output, 5, 1);
        expected = 0;
    }
    SUBCASE("the bias of W_O") {
        weights.outputBias = edited(weights.outputBias, 0, 1);
        expected = 0;
    }
    SUBCASE("an overridden score") {
        three.input.interventions.setScore({1, 1, 2, 0, 1, 4.0f});
    }
    SUBCASE("a score set to what it is") {
        const float score = before->stage(Stage::Scores, 1).matrix(1, 2)(0, 1);
        three.input.interventions.setScore({1, 1, 2, 0, 1, score});
    }
    SUBCASE("a silenced head") {
        three.input.interventions.setHead(1, 1, HeadState::Zero);
    }
    SUBCASE("two heads, zero and mean") {
        three.input.interventions.setHead(1, 1, HeadState::Mean);
        three.input.interventions.setHead(1, 2, HeadState::Uniform);
        expected = 2;
    }
    SUBCASE("W_Q replaced by the same numbers") {
        weights.query = makeParameter(*weights.query->toMatrix());
        expected = 0;
    }
    SUBCASE("a cell in the first layer: one head there, every one after it") {
        AttentionParameters &first = three.model.parameters.main.layers[0].selfAttention;
        first.key = edited(first.key, 0, 5);
        expected = 1 + 3;
    }
    after(before, three.model, three.input);
    const TracePointer trace = traceOf(three.model, three.input, before);
    CHECK(trace->recomputedHeads() == expected);
}

TEST_CASE(
    "a head with its mean is computed from all rows, although only the last ones are needed") {
    ThreeHeads three; // the first row of head 0, which is edited, sees no key and stays
    CellMask first;
    for (Index key = 0; key < three.input.batch->length(); ++key)
        first.cells.push_back({std::nullopt, 0, key, false});
    three.input.masks.push_back(first);
    three.input.interventions.setHead(1, 1, HeadState::Mean);
    const auto before = valueOf(forward(three.model, three.input, nullptr, {}, Detail::Ends));
    AttentionParameters &weights = three.model.parameters.main.layers[1].selfAttention;
    weights.value = edited(weights.value, 0, 0);
    const auto after = valueOf(forward(three.model, three.input, before, {}, Detail::Ends));
    const TracePointer fresh = traceOf(three.model, three.input);
    for (const std::string &name : fresh->names()) {
        CAPTURE(name);
        CHECK(after->stage(name).values() == fresh->stage(name).values());
    }
}

TEST_CASE(
    "an edit of one sequence keeps the others' stages bit for bit, and is not taken for all") {
    ThreeHeads three;
    const TracePointer before = traceOf(three.model, three.input);
    Input cell = three.input;
    cell.masks.push_back(CellMask{{{Index(1), 0, 1, false}}});
    after(before, three.model, cell);
    Random random(4);
    const Input own{
        three.input.batch->withEmbeddings(1, randomMatrix(random, 3, 4)), three.input.masks, {}};
    after(before, three.model, own);
    after(traceOf(three.model, own), three.model, three.input);
}
