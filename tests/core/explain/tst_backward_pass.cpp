// The gradient terms of a cell add up to its gradient, and the loss is that of the targets.
#include "../transformer/random_transformers.h"
#include "core/explain/gradients/gradient_lines.h"
#include "core/format_number.h"
#include "core/selection/selected.h"
#include "tests/support/forward.h"

#include <cmath>
#include <map>
#include <set>

using namespace headlight::core;
using namespace headlight::core::test;
using headlight::test::forward;

namespace {

std::vector<Target> randomQuestions(Random &random, const Trace &trace) {
    std::vector<Target> asked;
    const bool ofClasses = trace.has(Stage::ClassLogits);
    const Tensor logits = trace.stage(ofClasses ? Stage::ClassLogits : Stage::Logits);
    for (Index b = 0; b < trace.batch().count(); ++b)
        for (int i = 0; i < 2; ++i)
            asked.push_back({b, ofClasses ? 0 : between(random, 0, trace.batch().length() - 1),
                             between(random, 0, logits.shape().last(0) - 1)});
    return asked;
}

float largestOf(const Tensor &tensor) {
    float largest = 0;
    for (const float number : tensor.values())
        largest = std::max(largest, std::abs(number));
    return largest;
}

Selection cellOf(Random &random, const Trace &trace, StageId at) {
    Selection cell;
    cell.stage = at.stage;
    cell.setAttention(at.attention);
    const StageInfo &info = infoOf(at.stage);
    cell.sequence = between(random, 0, trace.batch().count() - 1);
    cell.head = between(random, 0, trace.model().headsOf(at.attention) - 1);
    const MatrixSize size = sizeAt(trace, cell);
    const Index row = between(random, 0, size.rows - 1);
    const Index column = between(random, 0, size.columns - 1);
    if (info.ofKeys())
        cell.key = row;
    else if (selectedRow(cell) != std::optional<Index>(cell.sequence))
        cell.query = row;
    if (info.overKeys())
        cell.key = column;
    else
        cell.dimension = column;
    return cell;
}

} // namespace

TEST_CASE("what flows back to a number comes to its gradient, in every kind of transformer") {
    int compared = 0;
    std::set<std::size_t> operations;
    for (std::uint64_t seed = 0; seed < 250; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        const Model model = randomTransformer(random);
        const Input input = randomTransformerInput(random, model);
        if (model.config.outputLayer.kind == OutputLayerKind::None)
            continue;
        const auto trace = forward(model, input);
        if (!trace)
            continue;
        const auto made = runBackward(*trace, randomQuestions(random, **trace));
        if (!made)
            continue; // gradients overflow 32-bit floats
        const BackwardPass &backwardPass = **made;
        for (const std::string &name : backwardPass.gradients->stageNames()) {
            CAPTURE(name);
            const auto at = findStageAnywhere(name);
            REQUIRE(at);
            const Tensor gradient = backwardPass.gradients->stage(name);
            const float size = largestOf(gradient);
            const Selection cell = cellOf(random, **trace, *at);
            const auto row = selectedRow(cell), column = selectedColumn(cell);
            if (!row || !column)
                continue;
            const std::vector<GradientTerm> flowing = gradientTermsOf(backwardPass, cell);
            double sum = 0;
            bool isWhole = true;
            for (const GradientTerm &part : flowing) {
                isWhole = isWhole && part.value.has_value() && !std::isnan(*part.value);
                sum += part.value.value_or(0);
                if (!part.isLoss)
                    operations.insert((*trace)->plan()[part.step].operation.index());
            }
            if (!isWhole)
                continue;
            const StepId step = *(*trace)->plan().find(*at);
            const float wanted =
                gradient.view((*trace)->plan()[step].sequences() == 1 ? 0 : cell.sequence,
                              (*trace)->headOf(step, cell.head))(*row, *column);
            const Line formula = backFormulaOf(backwardPass, cell);
            REQUIRE(formula.size() > 2);
            CHECK(formula[0].text == "∂loss/∂");
            const Line arithmetic = backArithmeticOf(backwardPass, cell);
            const auto result = std::ranges::find(arithmetic, Piece::Kind::Result, &Piece::kind);
            REQUIRE((result != arithmetic.end() || flowing.empty()));
            if (result != arithmetic.end())
                CHECK(result->text == digitsText(static_cast<double>(wanted)));
            CHECK(std::abs(sum - static_cast<double>(wanted)) <=
                  1e-4 * static_cast<double>(size) + 1e-9);
            ++compared;
        }
    }
    CHECK(compared > 2000);
    CHECK(operations.size() >= 13); // operations with a gradient
}

TEST_CASE("where a part is not written out, the sum of the parts is not known") {
    int compared = 0;
    for (std::uint64_t seed = 0; seed < 250 && compared == 0; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        const Model model = randomTransformer(random);
        const Input input = randomTransformerInput(random, model);
        if (model.config.norm.kind != NormKind::Batch ||
            model.config.outputLayer.kind == OutputLayerKind::None)
            continue;
        const auto trace = forward(model, input);
        if (!trace)
            continue;
        const auto made = runBackward(*trace, randomQuestions(random, **trace));
        if (!made)
            continue;
        for (const std::string &name : (*made)->gradients->stageNames()) {
            CAPTURE(name);
            const auto at = findStageAnywhere(name);
            REQUIRE(at);
            const Selection cell = cellOf(random, **trace, *at);
            const std::vector<GradientTerm> flowing = gradientTermsOf(**made, cell);
            if (std::ranges::all_of(
                    flowing, [](const GradientTerm &part) { return part.value.has_value(); }))
                continue;
            // The same backward pass without the gradients of this stage.
            BackwardPass without = **made;
            std::map<std::string, Tensor, std::less<>> stages;
            const StepId origin = (*trace)->plan().origin(*(*trace)->plan().find(*at));
            for (const std::string &other : (*made)->gradients->stageNames()) {
                const auto place = findStageAnywhere(other);
                if ((*trace)->plan().origin(*(*trace)->plan().find(*place)) != origin)
                    stages.emplace(other, (*made)->gradients->stage(other));
            }
            without.gradients =
                std::make_shared<const Gradients>((*made)->gradients->parameters, std::move(stages),
                                                  model.config.heads, model.config.encoder.heads);
            const Line line = backArithmeticOf(without, cell);
            const auto result = std::ranges::find(line, Piece::Kind::Result, &Piece::kind);
            REQUIRE((result != line.end()));
            CHECK(result->text == kNoNumber);
            ++compared;
        }
    }
    CHECK(compared > 0);
}

TEST_CASE("a text asks for its own next words; the loss is the mean of their -ln p") {
    Random random(4);
    Model model;
    do
        model = randomTransformer(random);
    while (model.config.outputLayer.kind != OutputLayerKind::Language || model.hasCrossAttention());
    Input input{inputOf({"w1 w2 w3 w4", "w5 w6"}).batch};
    const auto trace = forward(model, input);
    REQUIRE(trace.ok());
    const std::vector<Target> asked = nextTokenTargetsOf(**trace);
    REQUIRE(asked.size() == 4); // three in the first sequence, one in the second
    CHECK(asked[0] == Target{0, 0, *model.vocabulary->idOf("w2")});
    CHECK(asked[3] == Target{1, 0, *model.vocabulary->idOf("w6")});
    const auto backwardPass = runBackward(*trace, asked);
    REQUIRE(backwardPass.ok());
    double loss = 0;
    const Tensor probabilities = (*trace)->stage(Stage::Probabilities);
    for (const Target &one : asked)
        loss -=
            std::log(static_cast<double>(probabilities.view(one.sequence)(one.row, one.answer)));
    CHECK((*backwardPass)->loss == doctest::Approx(loss / 4).epsilon(1e-5));
    const Tensor slopes = (*backwardPass)->gradient(Stage::Probabilities);
    CHECK(slopes.view(1)(0, asked[3].answer) ==
          doctest::Approx(-0.25f / probabilities.view(1)(0, asked[3].answer)));
    CHECK(slopes.view(1)(1, asked[3].answer) == 0); // the last token has no target
}

TEST_CASE("questions that cannot be asked are refused") {
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

TEST_CASE("numbers of any size have four digits that count") {
    CHECK(digitsText(0) == "0");
    CHECK(digitsText(0.25) == "0.2500");
    CHECK(digitsText(-0.012345) == "−1.234·10⁻²");
    CHECK(digitsText(0.099996) == "1.000·10⁻¹");
    CHECK(digitsText(1.5e-10) == "1.500·10⁻¹⁰");
    CHECK(digitsText(-2e12) == "−2.000·10¹²");
}
