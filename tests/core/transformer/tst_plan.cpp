// Plans of transformers, written out: the inputs and parameters of each step.
#include "core_test.h"
#include "random_transformers.h"
#include "tests/core/block_models.h"

using Lines = std::vector<std::string>;

namespace {

std::string nameOf(const Step &step) {
    return stageName(step.at.stage, step.at.attention) +
           std::string(static_cast<std::size_t>(step.inner), '\'');
}

/// Returns lines such as "query < norm, W query + query_bias". Missing parts are left out.
Lines linesOf(const Model &model, const Extent &extent) {
    Lines lines;
    const Plan plan = planOf(model, extent);
    for (const Step &step : plan.steps()) {
        std::string line = nameOf(step);
        if (step.renames)
            line += " = " + nameOf(plan[*step.renames]);
        for (std::size_t i = 0; i < step.reads.size(); ++i)
            line += (i == 0 ? " < " : ", ") + nameOf(plan[step.reads[i]]);
        for (const ParameterSlice &slice : step.parameters)
            if (parameterOf(model.parameters, slice.id))
                line += " [" + headlight::core::nameOf(slice.id) + "]";
        lines.push_back(std::move(line));
    }
    return lines;
}

} // namespace

TEST_CASE("a model of one layer with everything before and after it") {
    Config config;
    config.width = 4;
    config.heads = 2;
    config.headSize = 2;
    config.norm = {NormKind::RootMeanSquare, NormPosition::Before, 1e-5f, true, false};
    config.residual = true;
    config.positions = Positions::Rotary;
    config.feedForward = {8, Activation::Silu, true};
    Random random(1);
    Model model = smallModel();
    model.config = config;
    LayerParameters layer = randomLayer(random, config);
    layer.feedForward.gate = randomMatrix(random, 4, 8);
    layer.feedForward.hidden = randomMatrix(random, 4, 8);
    layer.feedForward.output = randomMatrix(random, 8, 4);
    model.parameters.main.layers = {layer};
    const std::string a = "layers.0.self_attention.", f = "layers.0.feed_forward.";
    CHECK(linesOf(model, Extent(1, 3, 0)) ==
          Lines{
              "embeddings",
              "positioned = embeddings",
              "layers.0.input = embeddings",
              a + "norm < layers.0.input",
              a + "unrotated_query < " + a + "norm [" + a + "query]",
              a + "unrotated_key < " + a + "norm [" + a + "key]",
              a + "query < " + a + "unrotated_query",
              a + "key < " + a + "unrotated_key",
              a + "value < " + a + "norm [" + a + "value]",
              a + "scores < " + a + "query, " + a + "key",
              a + "scaled_scores < " + a + "scores",
              a + "masked_scores < " + a + "scaled_scores",
              a + "weights < " + a + "masked_scores",
              a + "context < " + a + "weights, " + a + "value",
              a + "concatenated < " + a + "context",
              a + "head_outputs < " + a + "context [" + a + "output]",
              a + "output < " + a + "concatenated [" + a + "output]",
              a + "residual < layers.0.input, " + a + "output",
              f + "norm < " + a + "residual",
              f + "gate < " + f + "norm [" + f + "gate]",
              f + "hidden < " + f + "norm [" + f + "hidden]",
              f + "activated < " + f + "gate, " + f + "hidden",
              f + "output < " + f + "activated [" + f + "output]",
              "layers.0.output < " + a + "residual, " + f + "output",
              "final_norm < layers.0.output",
          });
}

TEST_CASE("the norm of the distances reads their matrix, however long the text is") {
    for (const BlockCase &block : blockCases()) {
        const DistanceTable &table = block.model.config.disentangled.table;
        if (!block.model.config.disentangled.norm)
            continue;
        const Plan plan = planOf(block.model, Extent(1, table.rows(), 0));
        const StepId normed = *plan.find({Stage::DistanceEmbeddings, AttentionId()});
        REQUIRE(plan[normed].reads.size() == 1);
        CHECK(plan[plan[normed].reads[0]].at.stage == Stage::DistanceEmbeddings);
    }
}

TEST_CASE("every intervention is in the plan, those of one matrix together") {
    const Model model = smallModel();
    Input input = inputOf({"a b c"});
    const auto stepsWithChanges = [&] {
        std::size_t count = 0;
        const Plan plan = planOf(model, input);
        for (const Step &step : plan.steps())
            count += step.changes.size();
        return count;
    };
    CHECK(stepsWithChanges() == 0);
    for (const HeadState state : {HeadState::Zero, HeadState::Mean, HeadState::Uniform}) {
        input.interventions.setHead(0, 1, state);
        CHECK(stepsWithChanges() == 1);
    }
    input.interventions.setScore({0, 0, 1, 0, 2, 3.0f});
    input.interventions.setScore({0, 0, 1, 1, 2, 3.0f}); // in the same head, so both are one change
    CHECK(stepsWithChanges() == 2);
    input.interventions.setScore({0, 0, 0, 1, 2, 3.0f});
    CHECK(stepsWithChanges() == 3);
}

TEST_CASE("a pass keeps the requested stages, and computes the others on demand") {
    const Model model = smallModel(3);
    const Input input = inputOf({"a b c d", "e f"}, {CausalMask{}});
    const auto whole = forward(model, input);
    const auto some = forward(model, input, nullptr, {},
                              RetainedStages({{Stage::AttentionWeights, AttentionId(1)},
                                              {Stage::HeadOutputs, AttentionId(2)},
                                              {Stage::LayerOutput, 2}}));
    REQUIRE(whole.ok());
    REQUIRE(some.ok());
    const Plan &plan = (*some)->plan();
    std::size_t kept = 0;
    for (StepId id = 0; id < plan.size(); ++id)
        kept += (*some)->numbers(id).isNull() ? 0 : 1;
    CHECK(kept == 4); // one is the output, an alias of the layer's output
    CHECK_FALSE((*some)->isWhole());
    for (const std::string &name : (*whole)->names()) {
        CAPTURE(name);
        CHECK((*some)->stage(name).values() == (*whole)->stage(name).values());
    }
    // Reuses the retained stages and computes the others.
    const auto after = forward(model, input, *some);
    REQUIRE(after.ok());
    CHECK((*after)->stage(Stage::AttentionWeights, 1).identity() ==
          (*some)->stage(Stage::AttentionWeights, 1).identity());
}

TEST_CASE("no stage of a capture is reused") {
    const Model model = smallModel();
    const Input input = inputOf({"a b c"});
    const TracePointer real = traceOf(model, input);
    std::vector<Step> steps;
    std::vector<Tensor> numbers;
    for (const Step &step : real->plan().steps()) {
        if (step.isAside || !step.isOwn())
            continue;
        Step given;
        given.at = step.at;
        given.shape = step.shape;
        steps.push_back(given);
        std::vector<float> wrong = real->stage(step.at.stage, step.at.attention).values();
        for (float &number : wrong)
            number += 1;
        numbers.emplace_back(step.shape, std::move(wrong));
    }
    const auto capture = std::make_shared<const Trace>(
        Model{}, input, TraceMasks{}, std::make_shared<const Plan>(std::move(steps)),
        std::move(numbers), Work{}, stageComputer());
    const TracePointer after = traceOf(model, input, capture);
    for (const std::string &name : real->names()) {
        CAPTURE(name);
        CHECK(after->stage(name).values() == real->stage(name).values());
    }
}
