// The training pass compared with forward() and backward(): loss and gradients of transformers of
// all kinds.
#include "../transformer/loss.h"
#include "core_test.h"
#include "training_batches.h"

namespace {

/// Returns the input without cell masks and token types, which training does not support.
Input trainable(Input input) {
    const auto withoutCells = [](MaskLayers layers) {
        std::erase_if(
            layers, [](const MaskLayer &layer) { return std::holds_alternative<CellMask>(layer); });
        return layers;
    };
    input.masks = withoutCells(input.masks);
    input.encoderMasks = withoutCells(input.encoderMasks);
    input.crossMasks = withoutCells(input.crossMasks);
    for (BatchPointer *batch : {&input.batch, &input.source})
        for (Index b = 0; *batch && b < (*batch)->count(); ++b)
            *batch = (*batch)->withTokenTypes(b, {});
    return input;
}

Result<TrainingPass> passOf(const Model &model, const Input &input) {
    return TrainingPass::create(
        model, input,
        {input.batch->count(), input.batch->length(), input.source ? input.source->length() : 0});
}

struct Expected {
    double loss = 0;
    double accuracy = 0, answersRight = 0;
    ModelParameters gradients;
};

/// Computes the loss from the trace, −ln p of each target, and the gradients by backward().
Expected expectedOf(const Trace &trace, const TrainingBatch &batch) {
    const bool once = trace.has("class_logits");
    const std::string stage = once ? "class_logits" : "logits";
    const Tensor logits = trace.stage(stage);
    const Index count = logits.shape()[logits.shape().rank() - 1];
    std::vector<float> slopes(logits.values().size());
    Expected expected;
    const Index sequences = static_cast<Index>(batch.tokens.lengths.size());
    const Index rows = static_cast<Index>(batch.answers.size()) / sequences;
    for (Index b = 0; b < sequences; ++b) {
        bool allRight = true;
        for (Index row = b * rows; row < (b + 1) * rows; ++row) {
            const Index answer = batch.answers[static_cast<std::size_t>(row)];
            if (answer == kLeftOut)
                continue;
            const float *numbers = logits.values().data() + row * count;
            const float largest = *std::max_element(numbers, numbers + count);
            double sum = 0;
            for (Index i = 0; i < count; ++i)
                sum += std::exp(static_cast<double>(numbers[i] - largest));
            expected.loss += std::log(sum) + static_cast<double>(largest - numbers[answer]);
            const bool counts = batch.counts.empty() || batch.counts[static_cast<std::size_t>(row)];
            allRight = allRight && (!counts || numbers[answer] >= largest);
            expected.answersRight += counts && numbers[answer] >= largest ? 1 : 0;
            for (Index i = 0; i < count; ++i)
                slopes[static_cast<std::size_t>(row * count + i)] =
                    static_cast<float>((std::exp(static_cast<double>(numbers[i] - largest)) / sum -
                                        (i == answer ? 1 : 0)) /
                                       static_cast<double>(batch.asked));
        }
        expected.accuracy += allRight ? 1 : 0;
    }
    expected.loss /= static_cast<double>(batch.asked);
    expected.accuracy /= static_cast<double>(sequences);
    expected.answersRight /= static_cast<double>(std::max(batch.countedTargets(), Index(1)));
    Loss loss;
    loss.seeds.push_back({stage, Tensor(logits.shape(), std::move(slopes))});
    expected.gradients = gradientsOf(trace, loss, false)->parameters;
    return expected;
}

std::vector<float> numbersOf(const Parameter &parameter) {
    const Matrix matrix = *parameter->toMatrix();
    return {matrix.values().begin(), matrix.values().end()};
}

float largestIn(const ModelParameters &weights) {
    float largest = 0;
    for (const ParameterId &id : allParameters(weights))
        if (const Parameter &parameter = parameterOf(weights, id)) {
            const Matrix numbers = *parameter->toMatrix();
            for (const float number : numbers.values())
                largest = std::max(largest, std::abs(number));
        }
    return largest;
}

void checkGradients(const ModelParameters &actual, const ModelParameters &expected) {
    const float floor = 1e-2f * largestIn(expected);
    for (const ParameterId &id : allParameters(expected)) {
        if (!parameterOf(expected, id))
            continue;
        CAPTURE(nameOf(id));
        const Matrix wanted = *parameterOf(expected, id)->toMatrix();
        const Matrix made = *parameterOf(actual, id)->toMatrix();
        float size = floor, apart = 0;
        for (std::size_t i = 0; i < wanted.values().size(); ++i) {
            size = std::max(size, std::abs(wanted.values()[i]));
            apart = std::max(apart, std::abs(wanted.values()[i] - made.values()[i]));
        }
        CHECK(apart <= 1e-4f * size);
    }
}

} // namespace

TEST_CASE("loss, accuracy and gradients of every kind of transformer match backward()") {
    int compared = 0, withSource = 0, classifiers = 0;
    for (std::uint64_t seed = 0; seed < 2900; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        const Model model = randomTransformer(random);
        const Input input = trainable(randomTransformerInput(random, model));
        Result<TrainingPass> pass = passOf(model, input);
        if (!pass)
            continue;
        const auto trace = forward(model, input);
        if (!trace)
            continue; // numbers overflow 32-bit floats
        const bool once = model.config.outputLayer.kind == OutputLayerKind::Classifier;
        const Index answers = once ? model.config.outputLayer.classes : model.vocabulary->size();
        const TrainingBatch batch = randomTrainingBatch(random, model, input, once, answers);
        const Expected expected = expectedOf(**trace, batch);
        AlignedNumbers weights(pass->parameters().size()), gradient(pass->parameters().size());
        REQUIRE(pass->parameters().read(model.parameters, weights.data()).ok());
        const auto result = valueOf(pass->run(batch, weights.data(), gradient.data()));
        CHECK(result.loss == doctest::Approx(expected.loss).epsilon(1e-5));
        CHECK(result.accuracy == doctest::Approx(expected.accuracy));
        CHECK(result.answersRight == doctest::Approx(expected.answersRight));
        checkGradients(pass->parameters().toWeights(expected.gradients, gradient.data()),
                       expected.gradients);
        ++compared;
        withSource += input.source ? 1 : 0;
        classifiers += once ? 1 : 0;
    }
    CHECK(compared >= 50);
    CHECK(withSource >= 10);
    CHECK(classifiers >= 10);
}

TEST_CASE("parameters are copied to their flat positions and come back unchanged") {
    Random random(5);
    for (int i = 0; i < 40; ++i) {
        const Model model = randomTransformer(random);
        const Input input = trainable(randomTransformerInput(random, model));
        Result<TrainingPass> pass = passOf(model, input);
        if (!pass)
            continue;
        AlignedNumbers numbers(pass->parameters().size());
        REQUIRE(pass->parameters().read(model.parameters, numbers.data()).ok());
        const ModelParameters back = pass->parameters().toWeights(model.parameters, numbers.data());
        for (const ParameterId &id : allParameters(model.parameters))
            if (const Parameter &parameter = parameterOf(model.parameters, id))
                CHECK(numbersOf(parameter) == numbersOf(parameterOf(back, id)));
    }
}
