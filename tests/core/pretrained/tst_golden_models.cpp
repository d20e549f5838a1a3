// Attention of trained models matches that computed by another program.
#include "core/generation/generator.h"
#include "core_test.h"
#include "pretrained/folders.h"

namespace {

constexpr double kTolerance = 1e-4;

/// Returns the largest difference between a layer's attention weights and [H][T][S] reference
/// values.
double differenceOf(const Trace &trace, AttentionId attention, const nlohmann::json &theirs) {
    const Tensor weights = trace.stage(Stage::AttentionWeights, attention);
    double largest = 0;
    REQUIRE(static_cast<Index>(theirs.size()) == weights.shape()[1]);
    for (std::size_t head = 0; head < theirs.size(); ++head)
        for (std::size_t query = 0; query < theirs[head].size(); ++query)
            for (std::size_t key = 0; key < theirs[head][query].size(); ++key)
                largest = std::max(
                    largest, std::abs(weights.matrix(0, static_cast<Index>(head))(
                                          static_cast<Index>(query), static_cast<Index>(key)) -
                                      theirs[head][query][key].get<double>()));
    return largest;
}

void checkGolden(const std::string &name, const char *idsField) {
    const auto folder = trainedModel(name);
    if (folder.empty())
        return;
    const auto golden = readReference(folder.parent_path() / "golden" / (name + ".json"));
    const PretrainedPointer model = opened(folder);
    CHECK(model->warnings.empty());
    const auto ids = golden.at(idsField).get<std::vector<Index>>();
    const auto input = valueOf(inputOf(*model, tokensOfIds(*model, Stack::Main, ids)));
    const TracePointer trace = traceOf(*model, input);
    const auto &layers = golden.at("attention");
    REQUIRE(static_cast<Index>(layers.size()) == model->model.layerCount());
    for (std::size_t layer = 0; layer < layers.size(); ++layer)
        CHECK(differenceOf(*trace, static_cast<Index>(layer), layers[layer]) < kTolerance);
}

/// Returns the ids that the model generates greedily after the text.
std::vector<Index> writtenOn(const PretrainedFolder &folder, TokenizedText text, Index count) {
    const auto input = valueOf(inputOf(folder, std::move(text)));
    GenerationOptions options;
    options.maximum = count;
    auto generator = valueOf(makeGenerator(folder.model, input, options));
    std::vector<Index> ids;
    for (Index i = 0; i < count; ++i) {
        const auto token = valueOf(generator.next());
        REQUIRE(token.has_value());
        ids.push_back(token->id);
    }
    return ids;
}

} // namespace

TEST_CASE("gpt-nano-sort attends as it should") {
    checkGolden("gpt-nano-sort", "sequence");
}

TEST_CASE("english-lm attends as it should") {
    checkGolden("english-lm", "input_ids");
}

TEST_CASE("stories260k attends as it should") {
    checkGolden("stories260k", "input_ids");
}

TEST_CASE("stories260k finds the same words likely") {
    const auto folder = trainedModel("stories260k");
    if (folder.empty())
        return;
    const auto golden = readReference(folder.parent_path() / "golden" / "stories260k.json");
    const PretrainedPointer model = opened(folder);
    const auto ids = golden.at("input_ids").get<std::vector<Index>>();
    const auto input = valueOf(inputOf(*model, tokensOfIds(*model, Stack::Main, ids)));
    const Tensor logits = traceOf(*model, input)->stage("logits");
    for (const auto &top : golden.at("last_logits_top5"))
        CHECK(std::abs(logits.matrix(0)(std::ssize(ids) - 1, top.at(0).get<Index>()) -
                       top.at(1).get<double>()) < kTolerance * 20); // relative to the largest logit
}

TEST_CASE("gpt-nano-sort sorts every row of six letters") {
    const auto folder = trainedModel("gpt-nano-sort");
    if (folder.empty())
        return;
    const PretrainedPointer model = opened(folder);
    int sorted = 0, all = 0;
    for (int row = 0; row < 729; row += 7) { // a sample of all 3⁶ inputs
        std::vector<Index> ids;
        for (int left = row, i = 0; i < 6; ++i, left /= 3)
            ids.push_back(left % 3);
        auto written = writtenOn(*model, tokensOfIds(*model, Stack::Main, ids), 6);
        std::vector<Index> expected = ids;
        std::ranges::sort(expected);
        ++all;
        sorted += written == expected;
    }
    CHECK(sorted == all);
}

TEST_CASE("stories260k tells its story") {
    const auto folder = trainedModel("stories260k");
    if (folder.empty())
        return;
    const PretrainedPointer model = opened(folder);
    REQUIRE(model->tokenizer);
    const auto text = tokenized(model->model, Stack::Main, "Once upon a time");
    REQUIRE(text.ok());
    CHECK(text->tokens.front().text == "<s>"); // added by its post-processor
    std::string story;
    for (const Index id : writtenOn(*model, *text, 60))
        story += model->model.vocabulary->word(id);
    CHECK(story.starts_with(", there was a little girl named Lily. She loved to play outsid"));
}
