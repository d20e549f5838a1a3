// Stages over keys that are computed one head at a time or in blocks of rows and differentiated in
// tiles. The results equal those of complete matrices.
#include "core/analysis/row_measures.h"
#include "core/explain/arithmetic.h"
#include "core/explain/derivation.h"
#include "core/explain/numpy_script.h"
#include "core/transformer/plan/model_stages.h"
#include "core/transformer/trace/matrix_cache.h"
#include "core_test.h"
#include "loss.h"
#include "random_transformers.h"
#include "tests/support/long.h"

namespace {

TracePointer runOf(const Model &model, const Input &input, Detail detail,
                   const TracePointer &previous = nullptr) {
    const auto trace = forward(model, input, previous, {}, detail);
    if (trace)
        return *trace;
    REQUIRE(trace.error().what == "the values overflow 32-bit floats");
    return nullptr;
}

/// Calls `work` for every named step of the plan, each sequence and each head.
template <typename Work>
void forEachMatrix(const Trace &trace, Work work) {
    for (StepId id = 0; id < trace.plan().size(); ++id) {
        const Step &step = trace.plan()[id];
        for (Index b = 0; step.isNamed() && b < step.sequences(); ++b)
            for (Index h = 0; h < step.heads(); ++h)
                work(id, b, h);
    }
}

void checkSameMatrices(Random &random, const Trace &heads, const Trace &whole) {
    REQUIRE(heads.names() == whole.names());
    forEachMatrix(whole, [&](StepId id, Index b, Index h) {
        const StageId at = whole.plan()[id].at;
        CAPTURE(stageName(at.stage, at.attention));
        const SharedMatrix expected = whole.matrix(id, b, h);
        REQUIRE_FALSE(expected.empty());
        const Index first = between(random, 0, expected.rows - 1);
        const Index count = between(random, 1, expected.rows - first);
        if (oneIn(random, 2)) { // before the whole matrix is computed
            const SharedMatrix rows = heads.rows(id, b, h, {first, count});
            REQUIRE(haveSameBits(rows, expected.view().rowBlock(first, count)));
        }
        const SharedMatrix made = heads.matrix(id, b, h);
        REQUIRE(haveSameBits(made, expected.view()));
        const SharedMatrix rows = heads.rows(id, b, h, {first, count});
        REQUIRE(haveSameBits(rows, expected.view().rowBlock(first, count)));
    });
}

std::string textOf(const Line &line) {
    std::string text;
    for (const Piece &piece : line)
        text += piece.text + "|";
    return text;
}

Input inputOfLength(Random &random, const Model &model, Index length) {
    Input input = randomTransformerInput(random, model);
    const auto longer = [&](const Batch &batch) {
        std::vector<std::vector<std::string>> sequences;
        for (Index b = 0; b < batch.count(); ++b) {
            std::vector<std::string> &tokens = sequences.emplace_back();
            for (Index t = 0; t < length - b; ++t)
                tokens.push_back("w" + std::to_string(random.next() % 5));
        }
        return *Batch::ofWords(std::move(sequences));
    };
    input.batch = longer(*input.batch);
    if (input.source)
        input.source = longer(*input.source);
    input.masks = randomMasks(random, input.batch->length());
    input.encoderMasks = input.crossMasks = {};
    input.interventions = {};
    return input;
}

/// Returns a random loss over a few stages, including stages over keys.
Loss drawnLoss(Random &random, const Trace &trace) {
    Loss loss;
    const std::vector<std::string> names = trace.names();
    for (Index i = between(random, 1, 3); i > 0; --i)
        loss.seeds.push_back(randomSeed(random, trace, names[random.next() % names.size()]));
    loss.seeds.push_back(randomSeed(random, trace, names.back()));
    return loss;
}

/// Returns the largest difference relative to the largest number of the parameters, or to `size`.
double largestDifference(const Parameter &a, const Parameter &b, double size = 1e-3) {
    REQUIRE((a == nullptr) == (b == nullptr));
    double largest = 0;
    for (Index row = 0; a && row < a->rows(); ++row)
        for (Index column = 0; column < a->columns(); ++column) {
            const auto x = static_cast<double>((*a)(row, column));
            const auto y = static_cast<double>((*b)(row, column));
            largest = std::max(largest, std::abs(x - y));
            size = std::max(size, std::abs(x));
        }
    return largest / size;
}

/// Checks that gradients are equal bit for bit. Only those of the position bias table and the sinks
/// may differ, because each tile has a separate sum.
void checkSameGradients(const Trace &heads, const Trace &whole, const Loss &loss) {
    const auto tiled = backward(heads, loss.seeds, true);
    const auto all = backward(whole, loss.seeds, true);
    REQUIRE(tiled.ok() == all.ok());
    if (!all.ok())
        return;
    // The table's sums can cancel, so their rounding error is relative to the summands.
    double size = 1e-3;
    for (const std::string &name : (*all)->stageNames())
        if (name.ends_with("position_bias"))
            for (const float gradient : (*all)->stage(name).values())
                size = std::max(size, std::abs(static_cast<double>(gradient)));
    for (const ParameterId &id : allParameters((*all)->parameters)) {
        CAPTURE(nameOf(id));
        const double difference = largestDifference(parameterOf((*all)->parameters, id),
                                                    parameterOf((*tiled)->parameters, id), size);
        if (id.which == ParameterKind::PositionBias || id.which == ParameterKind::Sinks)
            REQUIRE(difference < 1e-5);
        else
            REQUIRE(difference == 0);
    }
    for (const std::string &name : (*all)->stageNames()) {
        CAPTURE(name);
        if (heads.isByHead(*heads.plan().find(*findStageAnywhere(name)))) {
            CHECK((*tiled)->stage(name).isNull());
            continue;
        }
        const Tensor expected = (*all)->stage(name), made = (*tiled)->stage(name);
        REQUIRE_FALSE(made.isNull());
        REQUIRE(made.values() == expected.values());
    }
}

/// Compares one head at a time with all at once. Returns false if the numbers overflow.
bool headsGiveTheWhole(Random &random, const Model &model, const Input &input) {
    const TracePointer whole = runOf(model, input, Detail::Everything);
    if (!whole)
        return false;
    const TracePointer heads = runOf(model, input, Detail::Heads);
    REQUIRE(heads);
    checkSameMatrices(random, *heads, *whole);
    checkSameGradients(*heads, *whole, drawnLoss(random, *whole));
    return true;
}

} // namespace

TEST_CASE("one head at a time gives the same as all at once") {
    Random random(8192);
    int compared = 0;
    const int trials = headlight::test::drawn(300, 3);
    for (int trial = 0; trial < trials; ++trial) {
        CAPTURE(trial);
        const Model model = randomTransformer(random);
        Input input = randomTransformerInput(random, model);
        if (oneIn(random, 3))
            input.interventions = randomTransformerInterventions(random, model, input);
        compared += headsGiveTheWhole(random, model, input) ? 1 : 0;
    }
    CHECK(compared * 6 > trials * 5);
}

TEST_CASE("many tiles give the same as a complete matrix") {
    Random random(300);
    int compared = 0;
    const int trials = headlight::test::drawn(24, 2);
    for (int trial = 0; trial < trials; ++trial) {
        CAPTURE(trial);
        const Model model = randomTransformer(random);
        if (model.config.positions == Positions::Learned) // too few positions for these texts
            continue;
        const Input input = inputOfLength(random, model, between(random, 250, 600));
        compared += headsGiveTheWhole(random, model, input) ? 1 : 0;
    }
    CHECK(compared * 2 > trials);
}

TEST_CASE("an edited text reuses a trace that is computed one head at a time") {
    Random random(77);
    for (int trial = 0; trial < 60; ++trial) {
        CAPTURE(trial);
        const Model model = randomTransformer(random);
        Input input = randomTransformerInput(random, model);
        const TracePointer before = runOf(model, input, Detail::Heads);
        input.masks = randomMasks(random, input.batch->length());
        input.interventions = randomTransformerInterventions(random, model, input);
        const TracePointer now = runOf(model, input, Detail::Heads, before);
        const TracePointer whole = runOf(model, input, Detail::Everything);
        if (now && whole)
            checkSameMatrices(random, *now, *whole);
    }
}

TEST_CASE("the least recently used matrix is dropped first, and the last one never") {
    const auto matrix = [](Index numbers) {
        const auto room = std::make_shared<std::vector<float>>(static_cast<std::size_t>(numbers));
        return SharedMatrix({room->data(), 1, numbers, numbers}, room);
    };
    MatrixCache kept(100);
    for (const Index head : {0, 1, 2}) {
        kept.makeRoomFor(40);
        kept.add(7, 0, head, matrix(10));
    }
    CHECK(kept.find(7, 0, 0).empty());
    CHECK_FALSE(kept.find(7, 0, 1).empty()); // this lookup makes it more recently used than head 2
    CHECK(kept.find(7, 1, 1).empty());
    CHECK(kept.find(8, 0, 1).empty());
    kept.makeRoomFor(40);
    kept.add(7, 0, 3, matrix(10));
    CHECK(kept.find(7, 0, 2).empty());
    CHECK_FALSE(kept.find(7, 0, 1).empty());
    kept.makeRoomFor(400);
    kept.add(7, 0, 4, matrix(100));
    CHECK_FALSE(kept.find(7, 0, 1).empty());
    CHECK_FALSE(kept.find(7, 0, 4).empty());
    CHECK(kept.find(7, 0, 3).empty());
}

TEST_CASE("ready stages return at once, and two heads' matrices are kept") {
    Random random(5);
    Model model;
    do
        model = randomTransformer(random);
    while (model.headsOf(Stack::Main) < 2 || model.hasCrossAttention());
    const Input input = randomTransformerInput(random, model);
    const TracePointer trace = runOf(model, input, Detail::Heads);
    REQUIRE(trace);
    CHECK(trace->isByHead(Stage::AttentionWeights));
    CHECK_FALSE(trace->isByHead(Stage::Query));
    CHECK(trace->stage(Stage::AttentionWeights).isNull());
    CHECK_FALSE(trace->isReady(Stage::AttentionWeights, {}, 0, 1));
    const auto prepared = trace->prepared(Stage::AttentionWeights, {}, 0, 1);
    REQUIRE(prepared.ok());
    CHECK((*prepared)->isReady(Stage::AttentionWeights, {}, 0, 1));
    CHECK((*prepared)->isReady(Stage::Query)); // computed with the rest of its layer
    CHECK_FALSE((*prepared)->isReady(Stage::AttentionWeights, {}, 0, 0));
    CHECK_FALSE(
        trace->isReady(Stage::AttentionWeights, {}, 0, 1)); // the original trace is unchanged
    const auto both = valueOf((*prepared)->prepared(Stage::AttentionWeights, {}, 0, 0));
    CHECK(both->isReady(Stage::AttentionWeights, {}, 0, 0));
    CHECK(both->isReady(Stage::AttentionWeights, {}, 0, 1));
}

TEST_CASE("a number is explained from its row alone") {
    Random random(21);
    for (int trial = 0; trial < 60; ++trial) {
        CAPTURE(trial);
        const Model model = randomTransformer(random);
        Input input = randomTransformerInput(random, model);
        input.interventions = randomTransformerInterventions(random, model, input);
        const TracePointer whole = runOf(model, input, Detail::Everything);
        if (!whole)
            continue;
        const TracePointer heads = runOf(model, input, Detail::Heads);
        REQUIRE(heads);
        for (StepId id = 0; id < whole->plan().size(); ++id) {
            const Step &step = whole->plan()[id];
            if (!step.isNamed() || !infoOf(step.at.stage).perHead)
                continue;
            Selection cell;
            cell.stage = step.at.stage;
            cell.layer = step.at.attention.layer;
            cell.stack = step.at.attention.stack;
            cell.block = step.at.attention.block;
            cell.head = between(random, 0, model.headsOf(cell.stack) - 1);
            cell.query = between(random, 0, step.shape.last(1) - 1);
            cell.key =
                between(random, 0, step.shape.last(infoOf(cell.stage).overKeys() ? 0 : 1) - 1);
            cell.dimension = 0;
            CAPTURE(stageName(step.at.stage, step.at.attention));
            CHECK(textOf(arithmeticOf(*heads, cell)) == textOf(arithmeticOf(*whole, cell)));
            Selection row = cell;
            (infoOf(cell.stage).overKeys() ? row.key : row.dimension).reset();
            CHECK(textOf(arithmeticOf(*heads, row)) == textOf(arithmeticOf(*whole, row)));
            const auto script = numpyScript(*heads, cell), expected = numpyScript(*whole, cell);
            REQUIRE(script.ok() == expected.ok());
            if (script.ok())
                CHECK(*script == *expected);
        }
    }
}
