// Mixtures of experts: the router's choice, the experts that are read and computed, and hostile
// sizes. tst_reference_pass compares every stage of the folders with NumPy. tst_verified_models
// compares the engine with the reference.
#include "core/generation/generator.h"
#include "core/operations/experts.h"
#include "core/tensor/joined_storage.h"
#include "core/training/pass/training_pass.h"
#include "core/transformer/run/backward.h"
#include "core_test.h"
#include "pretrained/folders.h"
#include "tests/core/block_models.h"

#include <atomic>
#include <functional>

namespace fs = std::filesystem;

namespace {

std::vector<float> largest(std::vector<float> x, Index count, bool normalises) {
    std::vector<float> out(x.size(), 7);
    keepLargest({.count = count, .normalises = normalises}, x, x, out);
    return out;
}

/// Numbers that are read on demand, like those of a file. Counts the reads.
class CountedNumbers final : public NumberStorage {
  public:
    explicit CountedNumbers(std::vector<float> numbers)
        : m_numbers(storageOf(std::move(numbers))) {}

    std::uint64_t size() const override { return m_numbers->size(); }
    Outcome read(std::uint64_t offset, std::span<std::byte> to) const override {
        bytesRead += to.size();
        return m_numbers->read(offset, to);
    }
    mutable std::atomic<std::uint64_t> bytesRead = 0;

  private:
    StoragePointer m_numbers;
};

/// Returns the folders whose layers have experts.
std::vector<fs::path> foldersWithExperts() {
    std::vector<fs::path> found;
    for (const char *name : {"mixtral", "mixtral-windows", "olmoe", "qwen3-moe", "qwen3-moe-one",
                             "gpt-oss", "gpt-oss-plain", "gpt-oss-unbiased"})
        found.push_back(fs::path(HEADLIGHT_TEST_DATA) / "folders" / name);
    return found;
}

Input inputOfIds(const PretrainedFolder &folder, const std::vector<Index> &ids) {
    return valueOf(inputOf(folder, tokensOfIds(folder, Stack::Main, ids)));
}

std::string placeOf(const FeedForward &network) {
    Config config;
    config.width = 4;
    config.headSize = 4;
    config.feedForward = network;
    const Outcome outcome = validate(config);
    return outcome ? std::string() : outcome.error().where;
}

} // namespace

TEST_CASE("the largest numbers are kept, and the first among equal ones") {
    CHECK(largest({0.25f, 0.5f, 0.125f}, 2, false) == std::vector<float>{0.25f, 0.5f, 0});
    CHECK(largest({0.25f, 0.75f, 0, 0}, 2, true) == std::vector<float>{0.25f, 0.75f, 0, 0});
    CHECK(largest({0.125f, 0.375f, 0.5f}, 1, true) == std::vector<float>{0, 0, 1});
    CHECK(largest({0.25f, 0.25f, 0.25f, 0.25f}, 3, false) ==
          std::vector<float>{0.25f, 0.25f, 0.25f, 0});
    CHECK(largest({0.5f, 0.25f}, 2, false) == std::vector<float>{0.5f, 0.25f});
    std::vector<float> mixed(2);
    mixExperts(std::vector<float>{1, 2, 30, 40, NAN, NAN}, std::vector<float>{0.5f, 0.25f, 0},
               mixed);
    CHECK(mixed == std::vector<float>{8, 11});
}

TEST_CASE("experts are chosen by scores, in the groups with the largest two") {
    const auto chosen = [](const KeepLargest &of, const std::vector<float> &x,
                           const std::vector<float> &scores) {
        std::vector<float> out(x.size());
        keepLargest(of, x, scores, out);
        return out;
    };
    const std::vector<float> x{0.5f, 0.25f, 0.75f, 0.125f};
    CHECK(chosen({.count = 2}, x, {0, 3, 1, 2}) == std::vector<float>{0, 0.25f, 0, 0.125f});
    CHECK(chosen({.count = 1, .normalises = true, .factor = 2.5f}, x, {0, 3, 1, 2}) ==
          std::vector<float>{0, 2.5f, 0, 0});
    // The second group is kept, because 3 + 4 is more than 5 + 1, although the first group has the
    // largest score.
    const KeepLargest grouped{.count = 2, .groups = 2, .keptGroups = 1};
    CHECK(chosen(grouped, x, {5, 1, 3, 4}) == std::vector<float>{0, 0, 0.75f, 0.125f});
    // A negative score in a kept group ranks above every score outside the kept groups.
    CHECK(chosen(grouped, x, {-9, -9, 2, -1}) == std::vector<float>{0, 0, 0.75f, 0.125f});
    CHECK(chosen(grouped, x, {4, -9, -1, -2}) == std::vector<float>{0, 0, 0.75f, 0.125f});
    // The sigmoid of every score can be 0.
    CHECK(chosen({.count = 2, .normalises = true, .factor = 2.5f}, {0, 0, 0, 0}, {4, 3, 2, 1}) ==
          std::vector<float>{0, 0, 0, 0});
}

TEST_CASE("an expert that no token has chosen is not read") {
    Model model = expertCases()[0].model;
    const FeedForward &network = model.config.feedForward;
    FeedForwardParameters &layer = model.parameters.main.layers[0].feedForward;
    std::vector<std::shared_ptr<const CountedNumbers>> counted;
    std::vector<StoragePointer> parts;
    const Index rows = layer.hidden->rows(), size = network.width;
    const Matrix hidden = *layer.hidden->toMatrix();
    for (Index expert = 0; expert < network.experts; ++expert) {
        std::vector<float> numbers; // [out, in]
        for (Index column = 0; column < size; ++column)
            for (Index row = 0; row < rows; ++row)
                numbers.push_back(hidden(row, expert * size + column));
        counted.push_back(std::make_shared<const CountedNumbers>(std::move(numbers)));
        parts.push_back(counted.back());
    }
    const Input input = inputOf({"cat"}, {CausalMask{}});
    const TracePointer usual = traceOf(model, input);
    layer.hidden =
        *ParameterMatrix::create(joinedStorage(std::move(parts)),
                                 {NumberType::F32, rows, network.experts * size, 0, 1, rows});
    for (Index expert = 0; expert < network.experts; ++expert)
        CHECK(counted[static_cast<std::size_t>(expert)]->bytesRead == 0);
    const TracePointer trace = traceOf(model, input);
    const SharedMatrix weights = trace->matrix(Stage::ExpertWeights, {}, 0, 0);
    for (Index expert = 0; expert < network.experts; ++expert) {
        CAPTURE(expert);
        CHECK((counted[static_cast<std::size_t>(expert)]->bytesRead > 0) ==
              (weights(0, expert) != 0));
    }
    for (const std::string &name : usual->names())
        CHECK(trace->stage(name).values() == usual->stage(name).values());
}

TEST_CASE("a text that grows gives the same bits as one from scratch") {
    for (const fs::path &path : foldersWithExperts()) {
        CAPTURE(path.string());
        const PretrainedPointer folder = opened(path);
        const std::vector<Index> all{3, 9, 4, 17, 1, 12};
        TracePointer grown;
        for (std::size_t count = 1; count <= all.size(); ++count) {
            const Input input = inputOfIds(
                *folder, {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)});
            grown = valueOf(
                headlight::test::forward(folder->model, input, grown, {}, Detail::Everything));
            const TracePointer fresh = traceOf(*folder, input);
            for (const std::string &name : fresh->names()) {
                CAPTURE(name);
                CHECK(grown->stage(name).values() == fresh->stage(name).values());
            }
        }
        GenerationOptions options;
        options.maximum = 4;
        auto generator = valueOf(makeGenerator(folder->model, inputOfIds(*folder, all), options));
        std::vector<Index> ids = all;
        for (auto token = valueOf(generator.next()); token; token = valueOf(generator.next())) {
            const TracePointer fresh = traceOf(*folder, inputOfIds(*folder, ids));
            const SharedMatrix logits = fresh->matrix(Stage::Logits, {}, 0, 0);
            const auto row = logits.row(logits.rows - 1);
            CHECK(row[static_cast<std::size_t>(token->id)] == *std::ranges::max_element(row));
            ids.push_back(token->id);
        }
        CHECK(ids.size() == all.size() + 4);
    }
}

TEST_CASE("another choice of the router, or another router, recomputes what comes after it") {
    const BlockCase block = expertCases()[0];
    const auto checkFrom = [&](const Model &model, const Model &edited) {
        const TracePointer before = traceOf(model, block.input);
        const TracePointer after = traceOf(edited, block.input, before);
        const TracePointer fresh = traceOf(edited, block.input);
        for (const std::string &name : fresh->names()) {
            CAPTURE(name);
            CHECK(after->stage(name).values() == fresh->stage(name).values());
        }
        CHECK(after->stage("logits").values() != before->stage("logits").values());
    };
    const auto check = [&](const Model &changed) { checkFrom(block.model, changed); };
    Model edited = block.model;
    edited.config.feedForward.chosen = 3;
    check(edited);
    edited = block.model;
    edited.config.feedForward.normalisesExperts = false;
    check(edited);
    edited = block.model;
    Parameter &router = edited.parameters.main.layers[1].feedForward.router;
    Matrix numbers = *router->toMatrix();
    for (float &number : numbers.view().row(3))
        number = -number;
    router = std::make_shared<const ParameterMatrix>(std::move(numbers));
    check(edited);

    Model inGroups = expertCases()[2].model; // takes the same input as the model above
    REQUIRE(inGroups.config.feedForward.expertGroups == 3);
    const auto checkGroups = [&](const std::function<void(FeedForward &)> &change) {
        Model other = inGroups;
        change(other.config.feedForward);
        checkFrom(inGroups, other);
    };
    checkGroups([](FeedForward &network) { network.chosenGroups = 1; });
    checkGroups([](FeedForward &network) { network.expertFactor = 0.5f; });
    checkGroups([](FeedForward &network) { network.sigmoidRouter = false; });
    inGroups.config.feedForward.chosenGroups = 1;
    checkGroups([](FeedForward &network) { network.expertGroups = 2; });
}

TEST_CASE("hostile sizes of experts are refused by the name of their field") {
    CHECK(placeOf({3, Activation::Silu, true, 4, 2, true}).empty());
    CHECK(placeOf({3, Activation::Silu, true, 4, 4, true}).empty());
    CHECK(placeOf({3, Activation::Silu, true, 4, 5, true}) ==
          "model.feed_forward.experts_per_token");
    CHECK(placeOf({3, Activation::Silu, true, 4, 0, true}) ==
          "model.feed_forward.experts_per_token");
    CHECK(placeOf({3, Activation::Silu, true, 4, -1, true}) ==
          "model.feed_forward.experts_per_token");
    CHECK(placeOf({3, Activation::Silu, true, 0, 1, true}) == "model.feed_forward.experts");
    CHECK(placeOf({3, Activation::Silu, true, -2, 1, true}) == "model.feed_forward.experts");
    CHECK(placeOf({3, Activation::Silu, true, kMaxExperts + 1, 1, true}) ==
          "model.feed_forward.experts");
    CHECK(placeOf({kMaxFeedForwardWidth, Activation::Silu, true, kMaxExperts, 1, true}) ==
          "model.feed_forward.experts");
    CHECK(placeOf({3, Activation::Silu, true, 4, 2, true, 7, 1}).empty());
    CHECK(placeOf({3, Activation::Silu, true, 4, 2, true, -7}) == "model.feed_forward.limit");
    CHECK(placeOf({3, Activation::Silu, true, 4, 2, true, NAN}) == "model.feed_forward.limit");
    CHECK(placeOf({3, Activation::Silu, false, 4, 2, true, 7}) == "model.feed_forward.limit");
    CHECK(placeOf({3, Activation::Silu, true, 0, 0, false, 7}) == "model.feed_forward.limit");
    CHECK(placeOf({3, Activation::Silu, true, 4, 2, true, 7, INFINITY}) ==
          "model.feed_forward.hidden_offset");
    CHECK(placeOf({3, Activation::Silu, true, 0, 0, false, 0, 1}) ==
          "model.feed_forward.hidden_offset");
    FeedForward network{3, Activation::Silu, true};
    network.denseWidth = 5; // without experts
    CHECK(placeOf(network) == "model.feed_forward");
    network.experts = network.chosen = 2;
    CHECK(placeOf(network) == "model.feed_forward.dense_layers");
    network.denseLayers = 1;
    CHECK(placeOf(network).empty());
    network.width = 0;
    CHECK(placeOf(network) == "model.feed_forward.dense_layers");
    network = {3, Activation::Silu, true};
    network.scalesInput = true; // without experts
    CHECK(placeOf(network) == "model.feed_forward");
    network.experts = network.chosen = 2;
    CHECK(placeOf(network).empty());
    network.expertLayers = {1, 0}; // the second layer has no width
    CHECK(placeOf(network) == "model.feed_forward.dense_layers");
    network.denseWidth = 5;
    CHECK(placeOf(network).empty());
    network.expertLayers = {1, 2};
    CHECK(placeOf(network) == "model.feed_forward.expert_layers");
    network.expertLayers.assign(kMaxLayers + 1, 1);
    CHECK(placeOf(network) == "model.feed_forward.expert_layers");
}

TEST_CASE("the inputs of experts are scaled, not their outputs") {
    const std::vector<float> x{2, INFINITY}, weights{0.5f, 0, 3};
    std::vector<float> inputs(6, -1);
    scaleForExperts(x, weights, inputs);
    CHECK(inputs == std::vector<float>{1, INFINITY, 0, 0, 6, INFINITY});
    std::vector<float> sum(2, -1);
    addExperts(std::vector<float>{1, 2, NAN, NAN, 10, 20}, weights, sum);
    CHECK(sum == std::vector<float>{11, 22});
}

TEST_CASE("experts are chosen by their logits if equal sigmoids hide the larger one") {
    Model model = expertCases()[4].model; // like Llama 4, with experts in its second layer
    Parameter &router = model.parameters.main.layers[1].feedForward.router;
    Matrix numbers(router->rows(), router->columns());
    for (Index expert = 0; expert < 4; ++expert) // two experts for each sign of the input
        numbers(0, expert) = (expert % 2 == 0 ? -1e4f : 1e4f) * (expert < 2 ? 1.0f : 2.0f);
    router = makeParameter(std::move(numbers));
    const TracePointer trace = traceOf(model, expertCases()[4].input);
    const SharedMatrix logits = trace->matrix(Stage::RouterLogits, AttentionId(1), 0, 0);
    const SharedMatrix probabilities =
        trace->matrix(Stage::RouterProbabilities, AttentionId(1), 0, 0);
    const SharedMatrix weights = trace->matrix(Stage::ExpertWeights, AttentionId(1), 0, 0);
    Index saturated = 0;
    for (Index t = 0; t < weights.rows; ++t) {
        Index chosen = 0, largest = 0, ones = 0;
        for (Index e = 0; e < weights.columns; ++e) {
            chosen = weights(t, e) != 0 ? e : chosen;
            largest = logits(t, e) > logits(t, largest) ? e : largest;
            ones += probabilities(t, e) == 1;
        }
        if (logits(t, largest) < 100)
            continue;
        CHECK(ones == 2);
        CHECK(chosen == largest);
        ++saturated;
    }
    CHECK(saturated > 0);
}

TEST_CASE("a model with experts has no gradients") {
    const BlockCase block = expertCases()[0];
    const TracePointer trace = traceOf(block.model, block.input);
    const Tensor logits = trace->stage("logits");
    const auto gradients = backward(*trace, {{"logits", logits}}, false);
    REQUIRE_FALSE(gradients.ok());
    CHECK(gradients.error().where == "model.feed_forward.experts");
    Model model = block.model;
    for (LayerParameters &layer : model.parameters.main.layers)
        layer.feedForward.routerChoiceBias = makeParameter(Matrix(1, 5, {1, 0, -1, 0, 2}));
    for (const Model &each : {block.model, model}) {
        const auto pass = TrainingPass::create(each, block.input, {2, 6, 0});
        REQUIRE_FALSE(pass.ok());
        CHECK(pass.error().where == "model.feed_forward.experts");
    }
}
