// 50 training steps compared with PyTorch in float64 (tests/reference/make_training.py): the loss
// of every step, and all gradients of the first step.
#include "core/training/optimizer/optimizer.h"
#include "core/training/pass/example.h"
#include "core/training/pass/training_pass.h"
#include "core_test.h"
#include "transformer/reference_model.h"

using Json = nlohmann::json;

namespace {

constexpr double kLossTolerance = 1e-3;
constexpr double kGradientTolerance = 1e-4;
/// Minimum size assumed for a tensor's gradients. The gradient of a key's bias is 0, because its
/// terms cancel.
constexpr double kGradientFloor = 1e-2;

OptimizerSettings settingsFrom(const Json &json) {
    OptimizerSettings settings;
    settings.kind = json.at("kind") == "sgd" ? OptimizerKind::Sgd : OptimizerKind::AdamW;
    settings.learningRate = json.at("learning_rate");
    settings.beta1 = json.at("beta1");
    settings.beta2 = json.at("beta2");
    settings.epsilon = json.at("epsilon");
    settings.momentum = json.at("momentum");
    settings.weightDecay = json.at("weight_decay");
    settings.clip = json.at("clip");
    settings.warmUp = json.at("warm_up");
    settings.cosine = json.at("cosine");
    return settings;
}

TokenRows rowsFrom(const Json &texts, Index length) {
    TokenRows rows;
    for (const auto &text : texts) {
        const auto ids = text.get<std::vector<Index>>();
        rows.ids.insert(rows.ids.end(), ids.begin(), ids.end());
        rows.ids.insert(rows.ids.end(), static_cast<std::size_t>(length) - ids.size(), 0);
        rows.lengths.push_back(static_cast<Index>(ids.size()));
    }
    return rows;
}

TrainingBatch batchFrom(const Json &json, const PassSizes &sizes) {
    TrainingBatch batch;
    batch.tokens = rowsFrom(json.at("tokens"), sizes.tokens);
    if (json.contains("source"))
        batch.source = rowsFrom(json.at("source"), sizes.sourceTokens);
    for (const auto &answers : json.at("answers")) {
        const auto some =
            answers.is_array() ? answers.get<std::vector<Index>>() : std::vector<Index>{answers};
        batch.answers.insert(batch.answers.end(), some.begin(), some.end());
    }
    batch.asked = std::ssize(batch.answers) - std::ranges::count(batch.answers, kLeftOut);
    return batch;
}

Index longest(const Json &texts) {
    std::size_t most = 0;
    for (const auto &text : texts)
        most = std::max(most, text.size());
    return static_cast<Index>(most);
}

void compareGradients(const ModelParameters &ours, const Json &theirs) {
    std::size_t compared = 0;
    for (const ParameterId &id : allParameters(ours)) {
        const std::string name = nameOf(id);
        const Parameter &parameter = parameterOf(ours, id);
        if (!parameter || !theirs.contains(name))
            continue;
        CAPTURE(name);
        const Json &wanted = theirs.at(name);
        CHECK(deviationOf(Tensor(Shape(wanted.at("shape").get<std::vector<Index>>()),
                                 parameter->toMatrix()->values()),
                          wanted, kGradientFloor) <= kGradientTolerance);
        ++compared;
    }
    CHECK(compared == theirs.size());
}

} // namespace

TEST_CASE("losses and gradients of training match PyTorch's") {
    const auto files = referenceFiles("training");
    REQUIRE(files.size() >= 5);
    for (const auto &file : files) {
        CAPTURE(file.filename().string());
        const Json document = readReference(file);
        const Model model = transformerFrom(document.at("model"));
        const Json &batches = document.at("batches");
        PassSizes sizes{static_cast<Index>(batches[0].at("tokens").size()),
                        longest(batches[0].at("tokens")),
                        batches[0].contains("source") ? longest(batches[0].at("source")) : 0};
        Input masks;
        readMasksInto(masks, document, model);
        auto pass = valueOf(TrainingPass::create(model, masks, sizes));
        const FlatParameters &places = pass.parameters();
        const OptimizerSettings settings = settingsFrom(document.at("optimizer"));
        Optimizer optimizer(settings, places);
        AlignedNumbers gradient(places.size());
        std::array<AlignedNumbers, 3> now, next;
        for (std::size_t i = 0; i < 3; ++i)
            now[i] = next[i] = AlignedNumbers(places.size());
        REQUIRE(places.read(model.parameters, now[0].data()).ok());
        const Json &losses = document.at("losses");
        const Index steps = static_cast<Index>(losses.size());
        for (Index step = 0; step < steps; ++step) {
            CAPTURE(step);
            const TrainingBatch batch = batchFrom(batches[static_cast<std::size_t>(step)], sizes);
            const auto made = valueOf(pass.run(batch, now[0].data(), gradient.data()));
            const double wanted = losses[static_cast<std::size_t>(step)];
            CHECK(std::abs(made.loss - wanted) <= kLossTolerance * wanted);
            if (step == 0)
                compareGradients(places.toWeights(model.parameters, gradient.data()),
                                 document.at("gradients"));
            const OptimizerStepValues update =
                updateNumbers(settings, step, steps, optimizer.lengthOf(gradient.data()));
            optimizer.advance(step, update, gradient.data(),
                              {now[0].data(), now[1].data(), now[2].data()},
                              {next[0].data(), next[1].data(), next[2].data()});
            std::swap(now, next);
        }
    }
}
