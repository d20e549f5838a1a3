// The meaning of gradients, and backward passes from a user's selection.
#include "../transformer/random_transformers.h"
#include "core/explain/gradients/backward_pass.h"
#include "core/explain/gradients/gradient_lines.h"
#include "core/explain/gradients/gradient_terms.h"
#include "core/explain/line.h"
#include "core_test.h"
#include "tests/core/backward_passes.h"
#include "tests/core/explained_traces.h"
#include "tests/core/transformer/random_transformers.h"

namespace {

float largestOf(const Tensor &tensor) {
    float largest = 0;
    for (const float number : tensor.values())
        largest = std::max(largest, std::abs(number));
    return largest;
}

/// Counts over all passes.
struct MetByGradients {
    std::set<std::size_t> operations, functions; ///< `functions`: applied by op::Each
    int cells = 0;
    int passes = 0;
};

/// Returns the sum of the terms.
double gradientOf(const BackwardPass &pass, Index sequence, const Slice &cell,
                  MetByGradients &met) {
    const Plan &plan = pass.trace->plan();
    const ChainRule chain(pass);
    double sum = 0;
    for (const GradientTerm &term : chain.termsOf(sequence, cell)) {
        sum += chain.value(term);
        if (!term.reader)
            continue;
        const Step &step = plan[term.reader->step];
        met.operations.insert(step.operation.index());
        if (const auto *each = std::get_if<op::Each>(&step.operation))
            met.functions.insert(each->function.index());
        const Index own = step.sequences() == 1 ? 0 : term.reader->sequence;
        if (const Operation *change = step.changeAt(own, term.reader->head))
            met.operations.insert(change->index());
    }
    ++met.cells;
    return sum;
}

/// Evaluates the terms of every gradient, including those of unnamed steps. Gradients of unnamed
/// steps are not kept, but are included in the terms of earlier steps.
void checkGradients(const TracePointer &trace, std::uint64_t seed, MetByGradients &met) {
    Random random(seed);
    const BackwardPassPointer pass = randomBackwardPass(random, trace);
    if (!pass)
        return;
    ++met.passes;
    const Plan &plan = trace->plan();
    for (StepId id = 0; id < plan.size(); ++id) {
        const Step &step = plan[id];
        const bool isSeed = pass->asked.empty() && id == lastStage(plan);
        if (!step.isOwn() || step.isAside || isSeed)
            continue;
        const Tensor gradient =
            step.isNamed() ? pass->gradient(step.at.stage, step.at.attention) : Tensor();
        const double size = static_cast<double>(largestOf(gradient));
        for (Index sequence = 0; sequence < step.sequences(); ++sequence)
            for (Index head = 0; head < step.heads(); ++head)
                for (Index row = 0; row < step.shape.last(1); ++row)
                    for (Index column = 0; column < step.shape.last(0); ++column) {
                        const bool isPooled = step.shape.rank() == 2; // a row is a sequence
                        const double sum = gradientOf(*pass, isPooled ? row : sequence,
                                                      {id, head, row, column}, met);
                        const double wanted =
                            gradient.isNull()
                                ? 0
                                : static_cast<double>(gradient.view(sequence, head)(row, column));
                        INFO(stageName(step.at.stage, step.at.attention), " step ", id,
                             " sequence ", sequence, " head ", head, " [", row, ", ", column,
                             "]: ", sum, " for ", wanted);
                        if (sum == wanted) // −∞ if a target's probability is 0
                            continue;
                        REQUIRE(std::isfinite(sum));
                        if (step.isNamed())
                            REQUIRE(std::abs(sum - wanted) <= 1e-4 * size + 1e-9);
                    }
    }
}

} // namespace

TEST_CASE("the terms of every number sum to its gradient") {
    MetByGradients met;
    for (const NamedTrace &named : explainedTraces()) {
        CAPTURE(named.name);
        checkGradients(named.trace, 1, met);
    }
    for (const NamedTrace &named : blockTraces()) {
        CAPTURE(named.name);
        checkGradients(named.trace, 2, met);
    }
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        const Model model = randomModel(random);
        checkGradients(traceOf(model, randomInput(random, model)), seed, met);
    }
    for (std::uint64_t seed = 100; seed < 140; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        const Model model = randomTransformer(random);
        Input input = randomTransformerInput(random, model);
        if (seed % 2 == 0)
            input.interventions = randomTransformerInterventions(random, model, input);
        checkGradients(traceOf(model, input), seed, met);
    }
    CHECK(met.passes > 65);
    CHECK(met.cells > 50000);
    // Every operation must occur in these models, unless it reads nothing or no loss reads it.
    const std::set<std::size_t> withoutGradients{
        Operation(op::Captured{}).index(),     Operation(op::EmbeddingLookup{}).index(),
        Operation(op::DistanceBias{}).index(), Operation(op::DistanceVectors{}).index(),
        Operation(op::KeepLargest{}).index(),  Operation(op::ExpertLinear{}).index(),
        Operation(op::MixExperts{}).index(),   Operation(op::ScaleForExperts{}).index(),
        Operation(op::SinkWeight{}).index()};
    for (std::size_t kind = 0; kind < std::variant_size_v<Operation>; ++kind) {
        CAPTURE(kind);
        CHECK(met.operations.contains(kind) != withoutGradients.contains(kind));
    }
    CHECK(met.functions.size() ==
          std::variant_size_v<op::Function> -
              1); // only experts use op::Sigmoid, and they have no gradients
}

TEST_CASE("the lines of a gradient name it and end with it") {
    int compared = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        const Model model = randomTransformer(random);
        const TracePointer trace = traceOf(model, randomTransformerInput(random, model));
        const BackwardPassPointer pass = randomBackwardPass(random, trace);
        if (!pass || pass->asked.empty())
            continue;
        forEachCell(*trace, [&](const Selection &cell, float) {
            const Tensor gradient = pass->gradient(cell.stage, cell.attention());
            const bool isThere = valueAt(*trace, cell).ok() && cell.stage != Stage::HeadOutputs;
            if (random.next() % 16 != 0 || gradient.isNull() || !isThere)
                return;
            const StepId step = *trace->plan().find({cell.stage, cell.attention()});
            const Index sequence = trace->plan()[step].sequences() == 1 ? 0 : cell.sequence;
            const float number = gradient.view(sequence, trace->headOf(step, cell.head))(
                *selectedRow(cell), *selectedColumn(cell));
            const Line formula = backFormulaOf(*pass, cell);
            REQUIRE(formula.size() > 3);
            CHECK(formula[0].text == "∂loss/∂");
            CHECK(formula[1].kind == Piece::Kind::Symbol);
            const Line arithmetic = backArithmeticOf(*pass, cell);
            CAPTURE(stageName(cell.stage, cell.attention()));
            REQUIRE(!arithmetic.empty());
            CHECK(arithmetic.back().kind == Piece::Kind::Result);
            CHECK(arithmetic.back().text == digitsText(static_cast<double>(number)));
            ++compared;
        });
    }
    CHECK(compared > 2000);
}

TEST_CASE("a text's targets are its own next tokens, and the loss is the mean of their -ln p") {
    Random random(4);
    Model model;
    do
        model = randomTransformer(random);
    while (model.config.outputLayer.kind != OutputLayerKind::Language || model.hasCrossAttention());
    Input input{inputOf({"w1 w2 w3 w4", "w5 w6"}).batch};
    const auto trace = valueOf(forward(model, input));
    const std::vector<Target> asked = nextTokenTargetsOf(*trace);
    REQUIRE(asked.size() == 4); // three targets in the first sequence, one in the second
    CHECK(asked[0] == Target{0, 0, *model.vocabulary->idOf("w2")});
    CHECK(asked[3] == Target{1, 0, *model.vocabulary->idOf("w6")});
    const auto backwardPass = valueOf(runBackward(trace, asked));
    double loss = 0;
    const Tensor probabilities = trace->stage(Stage::Probabilities);
    for (const Target &one : asked)
        loss -=
            std::log(static_cast<double>(probabilities.view(one.sequence)(one.row, one.answer)));
    CHECK(backwardPass->loss == doctest::Approx(loss / 4).epsilon(1e-5));
    const Tensor slopes = backwardPass->gradient(Stage::Probabilities);
    CHECK(slopes.view(1)(0, asked[3].answer) ==
          doctest::Approx(-0.25f / probabilities.view(1)(0, asked[3].answer)));
    CHECK(slopes.view(1)(1, asked[3].answer) == 0); // the last token has no target
}

TEST_CASE("targets that do not exist are refused") {
    Random random(4);
    Model model;
    do
        model = randomTransformer(random);
    while (model.config.outputLayer.kind != OutputLayerKind::Language || model.hasCrossAttention());
    const TracePointer trace = *forward(model, Input{inputOf({"w1 w2"}).batch});
    CHECK(runBackward(trace, {}).error().where == "asked");
    CHECK(runBackward(trace, {{1, 0, 0}}).error().where == "asked[0].sequence");
    CHECK(runBackward(trace, {{0, 0, 0}, {0, 2, 0}}).error().where == "asked[1].row");
    CHECK(runBackward(trace, {{0, 0, -1}}).error().where == "asked[0].answer");
    model.config.outputLayer = {};
    model.config.logitCap = {};
    dropWithoutPlace(model.parameters, model.config);
    CHECK(
        runBackward(*forward(model, Input{inputOf({"w1 w2"}).batch}), {{0, 0, 0}}).error().where ==
        "model.head");
}

TEST_CASE("numbers of any size have four significant digits") {
    CHECK(digitsText(0) == "0");
    CHECK(digitsText(0.25) == "0.2500");
    CHECK(digitsText(-0.012345) == "−1.234·10⁻²");
    CHECK(digitsText(0.099996) == "1.000·10⁻¹");
    CHECK(digitsText(1.5e-10) == "1.500·10⁻¹⁰");
    CHECK(digitsText(-2e12) == "−2.000·10¹²");
}
