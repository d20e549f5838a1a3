// Sources of a number: all numbers that influence it, and no others.
#include "../transformer/loss.h"
#include "../transformer/random_transformers.h"
#include "core/explain/sources.h"
#include "core_test.h"

using Regions = std::vector<Region>;

namespace {

Selection at(Stage stage, Index row, std::optional<Index> column, Index head = 0) {
    Selection selection;
    selection.stage = stage;
    selection.head = head;
    const StageInfo &info = infoOf(stage);
    (info.ofKeys() ? selection.key : selection.query) = row;
    (info.overKeys() ? selection.key : selection.dimension) = column;
    return selection;
}

Regions sources(const Trace &trace, const Selection &selection) {
    return sourcesOf(trace, selection.sequence, *regionOf(trace.plan(), selection));
}

/// Returns a loss that equals one number of a stage.
Seed oneNumber(const Trace &trace, const Region &cell, Index sequence) {
    const Step &step = trace.plan()[*trace.plan().find(cell.at)];
    std::vector<float> values(static_cast<std::size_t>(step.shape.count()));
    matrixOf(values, step.shape, step.sequences() == 1 ? 0 : sequence, cell.head)(*cell.row,
                                                                                  *cell.column) = 1;
    return {stageName(cell.at.stage, cell.at.attention), Tensor(step.shape, std::move(values))};
}

} // namespace

TEST_CASE("the direct sources of a cell") {
    const TracePointer trace = traceOf(smallModel(), inputOf({"the money bank"}));
    const auto stage = [](Stage which) { return StageId{which, 0}; };
    CHECK(sources(*trace, at(Stage::Scores, 1, 2, 1)) ==
          Regions{{stage(Stage::Query), 1, 1, {}}, {stage(Stage::Key), 1, 2, {}}});
    CHECK(sources(*trace, at(Stage::AttentionWeights, 1, 2, 1)) ==
          Regions{{stage(Stage::MaskedScores), 1, 1, {}}});
    CHECK(sources(*trace, at(Stage::Context, 1, 0)) ==
          Regions{{stage(Stage::AttentionWeights), 0, 1, {}}, {stage(Stage::Value), 0, {}, 0}});
    // Column 3 belongs to the second head, regardless of the selected head.
    CHECK(sources(*trace, at(Stage::Concatenated, 1, 3, 0)) ==
          Regions{{stage(Stage::Context), 1, 1, 1}});
    CHECK(sources(*trace, at(Stage::Concatenated, 1, {})) ==
          Regions{{stage(Stage::Context), 0, 1, {}}, {stage(Stage::Context), 1, 1, {}}});
    CHECK(sources(*trace, at(Stage::Output, 1, 3)) ==
          Regions{{stage(Stage::Concatenated), 0, 1, {}}});
    CHECK(sources(*trace, at(Stage::Value, 2, 1)) == Regions{{stage(Stage::LayerInput), 0, 2, {}}});
    CHECK(sources(*trace, at(Stage::Embeddings, 2, 1)).empty());
}

TEST_CASE("a number that the user has overridden has no source") {
    const Model model = smallModel();
    Input input = inputOf({"the money bank"});
    input.interventions.setScore({0, 0, 0, 1, 2, 5.0f});
    input.interventions.setHead(0, 1, HeadState::Mean);
    const TracePointer trace = traceOf(model, input);
    CHECK(sources(*trace, at(Stage::Scores, 1, 2)).empty());
    CHECK(sources(*trace, at(Stage::Scores, 1, 1)).size() == 2);
    CHECK(sources(*trace, at(Stage::Context, 1, 0, 1)) ==
          Regions{{{Stage::AttentionWeights, 0}, 1, {}, {}}, {{Stage::Value, 0}, 1, {}, 0}});
    input.interventions.setHead(0, 1, HeadState::Zero);
    CHECK(sources(*traceOf(model, input), at(Stage::Context, 1, 0, 1)).empty());
    input.interventions.setHead(0, 1, HeadState::Uniform);
    CHECK(sources(*traceOf(model, input), at(Stage::AttentionWeights, 1, 0, 1)).empty());
}

TEST_CASE("every number with a gradient is among the ancestors") {
    std::size_t influences = 0;
    for (std::uint64_t seed = 1; seed <= 80; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        const Model model = randomTransformer(random);
        Input input = randomTransformerInput(random, model);
        input.interventions = randomTransformerInterventions(random, model, input);
        const auto made = forward(model, input);
        if (!made)
            continue;
        const Trace &trace = **made;
        for (int cell = 0; cell < 4; ++cell) {
            const Plan &plan = trace.plan();
            const auto id =
                static_cast<StepId>(between(random, 0, static_cast<Index>(plan.size()) - 1));
            const Step &step = plan[plan.origin(id)];
            if (!step.isNamed())
                continue;
            const Index sequence = between(random, 0, trace.batch().count() - 1);
            Region region{step.at, between(random, 0, step.heads() - 1), {}, {}};
            region.row =
                step.shape.rank() == 2 ? sequence : between(random, 0, step.shape.last(1) - 1);
            region.column = between(random, 0, step.shape.last(0) - 1);
            const Regions ancestors = ancestorsOf(trace, sequence, region);
            const auto gradients = backward(trace, {oneNumber(trace, region, sequence)}, true);
            if (!gradients)
                continue;
            for (const std::string &name : (*gradients)->stageNames()) {
                const StageId stage = *findStageAnywhere(name);
                const Step &named = plan[*plan.find(stage)];
                if (!named.isOwn() || named.at == region.at)
                    continue;
                CAPTURE(name);
                const Tensor gradient = (*gradients)->stage(name);
                for (Index h = 0; h < named.heads(); ++h) {
                    const Index b = named.sequences() == 1 ? 0 : sequence;
                    const MatrixView matrix = gradient.view(b, h);
                    for (Index i = 0; i < matrix.rows; ++i)
                        for (Index j = 0; j < matrix.columns; ++j) {
                            if (matrix(i, j) == 0)
                                continue;
                            ++influences;
                            const Region here{named.at, h, i, j};
                            REQUIRE(std::ranges::any_of(
                                ancestors, [&](const Region &one) { return one.contains(here); }));
                        }
                }
            }
        }
    }
    CHECK(influences > 10000);
}

TEST_CASE("ancestors include no softmax of another row, another head or a later stage") {
    const TracePointer trace = traceOf(smallModel(2), inputOf({"the money bank"}));
    const Selection selected = at(Stage::Concatenated, 1, 3);
    const Regions ancestors = ancestorsOf(*trace, 0, *regionOf(trace->plan(), selected));
    for (const Region &region : ancestors) {
        CHECK(region.at.attention.layer == 0);
        CHECK(region.at.stage < Stage::Concatenated);
        if (infoOf(region.at.stage).perHead)
            CHECK(region.head == 1);
        if (infoOf(region.at.stage).overKeys() || region.at.stage == Stage::Query)
            CHECK(region.row == 1);
    }
    CHECK(ancestors.size() ==
          9); // X, Q, K, V, three stages of scores, the attention weights and the context
}
