// verify() locates a fault, and reports what it cannot compute.
#include "core/cancelled.h"
#include "core/checks/verification.h"
#include "core/reference/reference.h"
#include "core_test.h"
#include "tests/core/block_models.h"

namespace {

Verification verified(const Trace &trace, const Model &model, const Input &input) {
    return valueOf(verify(trace, model, input));
}

const BlockCase &caseNamed(const std::string &name) {
    static const std::vector<BlockCase> cases = blockCases();
    const auto found = std::ranges::find(cases, name, &BlockCase::name);
    REQUIRE(found != cases.end());
    return *found;
}

/// Returns the model with one number of a parameter changed by `move`.
Model withFault(Model model, const std::string &parameter, Index row, Index column,
                float move = 0.01f) {
    const auto id = valueOf(findParameter(parameter));
    Parameter &changed = parameterOf(model.parameters, id);
    REQUIRE(changed);
    changed =
        withCells(changed, {{static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column),
                             (*changed)(row, column) + move}});
    return model;
}

std::string nameOf(const StageVerification *stage) {
    return stage ? stageName(stage->at.stage, stage->at.attention) : "none";
}

const StageVerification &stageNamed(const Verification &of, const std::string &name) {
    const auto found = std::ranges::find_if(
        of.stages, [&](const StageVerification &stage) { return nameOf(&stage) == name; });
    REQUIRE(found != of.stages.end());
    return *found;
}

} // namespace

TEST_CASE("a wrong weight is found at the first stage that it changes") {
    const BlockCase &block = caseNamed("pre-norm");
    const TracePointer right = traceOf(block.model, block.input);
    REQUIRE(verified(*right, block.model, block.input).isWithin());
    struct Fault {
        const char *parameter;
        const char *stage;
    };
    for (const Fault &fault :
         {Fault{"layers.0.self_attention.query", "layers.0.self_attention.query"},
          Fault{"layers.0.self_attention.key_bias", "layers.0.self_attention.key"},
          Fault{"layers.1.self_attention.value", "layers.1.self_attention.value"},
          Fault{"layers.1.self_attention.output", "layers.1.self_attention.head_outputs"},
          Fault{"layers.0.self_attention.norm_gain", "layers.0.self_attention.norm"},
          Fault{"layers.1.feed_forward.hidden", "layers.1.feed_forward.hidden"},
          Fault{"layers.0.feed_forward.output_bias", "layers.0.feed_forward.output"},
          Fault{"final_norm_gain", "final_norm"}, Fault{"output_bias", "logits"}}) {
        const std::string parameter = fault.parameter;
        CAPTURE(parameter);
        const Model wrong = withFault(block.model, parameter, 0, 0);
        // Finds the fault, whether the engine's model or the reference's has it.
        CHECK(nameOf(
                  verified(*traceOf(wrong, block.input), block.model, block.input).firstBeyond()) ==
              fault.stage);
        const Verification made = verified(*right, wrong, block.input);
        CHECK(nameOf(made.firstBeyond()) == fault.stage);
        // If each stage is computed alone, from the engine's inputs, only the faulty stage is
        // wrong. A fault in W_O affects two stages.
        for (const StageVerification &stage : made.stages) {
            const std::string name = nameOf(&stage);
            CAPTURE(name);
            const bool isOther = name != fault.stage && name != "layers.1.self_attention.output";
            CHECK((!isOther || stage.alone.value() <= 1e-6));
            CHECK((name != fault.stage || stage.alone.value() > kVerifiedWithin));
        }
    }
}

TEST_CASE("the cell of the largest difference") {
    const BlockCase &block = caseNamed("rotary, grouped, gated");
    // Column 3 of W_K is dimension 1 of the second of two groups.
    const Model wrong = withFault(block.model, "layers.1.self_attention.key", 2, 3);
    const Verification made = verified(*traceOf(wrong, block.input), block.model, block.input);
    const StageVerification &key = stageNamed(made, "layers.1.self_attention.unrotated_key");
    REQUIRE(key.cell.size() == 4);
    CHECK(key.cell[1] == 1);
    CHECK(key.cell[3] == 1);
    const Tensor ours = traceOf(wrong, block.input)->stage(Stage::UnrotatedKey, 1);
    const float number = ours.view(key.cell[0], key.cell[1])(key.cell[2], key.cell[3]);
    CHECK(key.ours == static_cast<double>(number));
    CHECK(key.difference == doctest::Approx(std::abs(key.ours - key.theirs) / key.size));
    CHECK(key.difference > kVerifiedWithin);
    // The value does not depend on the key, but the output of the layer does.
    CHECK(stageNamed(made, "layers.1.self_attention.value").isWithin());
    CHECK_FALSE(stageNamed(made, "layers.1.output").isWithin());
    CHECK(made.worst().difference >= key.difference);
}

TEST_CASE("all stages of the trace are reported, in its order") {
    for (const BlockCase &block : blockCases()) {
        CAPTURE(block.name);
        const TracePointer trace = traceOf(block.model, block.input);
        std::vector<std::string> named;
        for (const StageVerification &stage : verified(*trace, block.model, block.input).stages)
            if (stage.at.stage != Stage::HeadOutputs)
                named.push_back(nameOf(&stage));
        CHECK(named == trace->names());
    }
}

TEST_CASE("a cell that only one side hides is infinitely far") {
    const BlockCase &block = caseNamed("pre-norm");
    Input other = block.input;
    other.masks.push_back(CausalMask{});
    const Verification made = verified(*traceOf(block.model, block.input), block.model, other);
    REQUIRE(nameOf(made.firstBeyond()) == "layers.0.self_attention.masked_scores");
    CHECK(std::isinf(made.firstBeyond()->difference));
    CHECK(made.firstBeyond()->cell == std::vector<Index>{0, 0, 0, 1});
}

TEST_CASE("a stage that only one side has") {
    const BlockCase &block = caseNamed("pre-norm");
    Model more = block.model;
    more.config.scoreCap.limit = 50;
    const std::string capped = "layers.0.self_attention.capped_scores";
    const Verification without = verified(*traceOf(block.model, block.input), more, block.input);
    CHECK(std::isinf(stageNamed(without, capped).difference));
    const Verification with = verified(*traceOf(more, block.input), block.model, block.input);
    CHECK(std::isinf(stageNamed(with, capped).difference));
    CHECK(stageNamed(with, capped).cell.empty());
    CHECK_FALSE(with.isWithin());
}

TEST_CASE("texts of another length have another shape") {
    const BlockCase &block = caseNamed("rotary, grouped, gated");
    const TracePointer trace = traceOf(block.model, block.input);
    const Input longer = inputOf({"the cat sat on a mat the cat", "a cat"}, {CausalMask{}});
    const Verification made = verified(*trace, block.model, longer);
    for (const StageVerification &stage : made.stages)
        CHECK(std::isinf(stage.difference));
    const Input more = inputOf({"the cat sat on a mat", "a cat", "a mat"}, {CausalMask{}});
    CHECK_FALSE(verified(*trace, block.model, more).isWithin());
    CHECK_FALSE(verified(*traceOf(block.model, more), block.model, block.input).isWithin());
}

TEST_CASE("cancellation in 32 bits is reported, although each stage alone is right") {
    // In 32 bits, 10⁶ + f(x) keeps only four digits of f(x), and the next norm reveals the loss.
    Model model = smallModel();
    model.config.residual = true;
    model.config.norm = {NormKind::Layer, NormPosition::Before, 1e-5f, true, false};
    const Input words = inputOf({"a b"});
    Matrix large(2, 4, std::vector<float>(8, 1e6f));
    Input input = words;
    input.batch = words.batch->withEmbeddings(0, makeParameter(std::move(large)));
    model.parameters.main.layers[0].selfAttention.outputBias =
        makeParameter(Matrix(1, 4, {0.1f, -0.23f, 0.37f, 0.011f}));
    const Verification made = verified(*traceOf(model, input), model, input);
    CHECK(stageNamed(made, "layers.0.self_attention.output").isWithin());
    CHECK(stageNamed(made, "layers.0.self_attention.residual").isWithin());
    CHECK(nameOf(made.firstBeyond()) == "final_norm");
    CHECK(made.firstBeyondAlone() == nullptr); // the norm of the rounded sum is right
    for (const StageVerification &stage : made.stages)
        CHECK(stage.alone.value() <= 1e-6);
}

TEST_CASE("captures cannot be computed, and the error says so") {
    Model model;
    model.captured = std::make_shared<const Plan>();
    const auto never = [](const reference::StageMatrix &) -> Outcome {
        FAIL("nothing to show");
        return Done{};
    };
    const Outcome made = reference::forward(model, inputOf({"a b"}), never);
    REQUIRE_FALSE(made);
    CHECK(made.error().what == "a capture has no model, so it cannot be recomputed");
}

TEST_CASE("too many tokens are refused before anything is computed") {
    const std::string text = [] {
        std::string words;
        for (Index i = 0; i <= reference::kMaxReferenceTokens; ++i)
            words += "a ";
        return words;
    }();
    const Outcome made =
        reference::forward(smallModel(), inputOf({text}),
                           [](const reference::StageMatrix &) -> Outcome { return Done{}; });
    REQUIRE_FALSE(made);
    CHECK(made.error().text() ==
          "text: 4097 tokens are too many for the 64-bit computation; use at "
          "most 4096 tokens");
}

TEST_CASE("an error of the caller ends the pass") {
    int shown = 0;
    const Outcome made = reference::forward(smallModel(), inputOf({"a b"}),
                                            [&](const reference::StageMatrix &) -> Outcome {
                                                if (++shown == 3)
                                                    return Error{"enough", "here", ""};
                                                return Done{};
                                            });
    REQUIRE_FALSE(made);
    CHECK(made.error().what == "enough");
    CHECK(shown == 3);
}

TEST_CASE("verifying can be cancelled, and reports its progress") {
    const BlockCase &block = caseNamed("encoder and decoder");
    const TracePointer trace = traceOf(block.model, block.input);
    std::stop_source stop;
    stop.request_stop();
    const auto cancelled = verify(*trace, stop.get_token());
    REQUIRE_FALSE(cancelled);
    CHECK(isCancelled(cancelled.error()));
    Progress progress;
    REQUIRE(verify(*trace, {}, &progress));
    CHECK(progress.layers() == Progress::Layers{4, 4});
}

TEST_CASE("a partial trace keeps the details that it has") {
    const BlockCase &block = caseNamed("pre-norm");
    const auto trace = valueOf(forward(block.model, block.input, nullptr, {}, Detail::Ends));
    const auto ready = valueOf(trace->prepared(Stage::AttentionWeights, 1));
    REQUIRE(verify(*ready)->isWithin());
    CHECK(ready->isReady(Stage::AttentionWeights, 1)); // was prepared before verify()
    CHECK_FALSE(ready->isReady(Stage::AttentionWeights, 0));
}
