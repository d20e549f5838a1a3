// Folders of trained models in ../shared/models: their attention weights compared with another
// program's in float64, and their predictions. Skipped with a message if they are missing.
#include "core/generation/end_token.h"
#include "core/generation/generator.h"
#include "core_test.h"
#include "pretrained/folders.h"

using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr double kGoldenTolerance = 1e-4; // the reference values are rounded to six decimals

/// A trained model, and the numbers of another program.
struct GoldenModel {
    PretrainedPointer folder;
    Json golden;
};

/// Returns nothing if the model is missing.
std::optional<GoldenModel> goldenModel(const std::string &name) {
    const fs::path path = trainedModel(name);
    if (path.empty())
        return {};
    return GoldenModel{opened(path),
                       readReference(path.parent_path() / "golden" / (name + ".json"))};
}

/// Returns the input of these ids. `source` is empty for models without an encoder.
Input inputOfIds(const PretrainedFolder &folder, const std::vector<Index> &ids,
                 const std::vector<Index> &source = {}) {
    std::optional<TokenizedText> second;
    if (!source.empty())
        second = tokensOfIds(folder, Stack::Encoder, source);
    return valueOf(inputOf(folder, tokensOfIds(folder, folder.model.mainStack(), ids), second));
}

/// Returns the largest difference between the attention weights and `theirs` [layers][H][T][S].
double differenceOf(const Trace &trace, const Json &theirs, Stack stack,
                    Block block = Block::SelfAttention) {
    double largest = 0;
    for (std::size_t layer = 0; layer < theirs.size(); ++layer) {
        const Tensor ours =
            trace.stage(Stage::AttentionWeights, {static_cast<Index>(layer), block, stack});
        std::vector<double> expected;
        for (const Json &head : theirs[layer])
            for (const Json &row : head)
                for (const Json &weight : row)
                    expected.push_back(weight.get<double>());
        REQUIRE(expected.size() == ours.values().size());
        for (std::size_t i = 0; i < expected.size(); ++i)
            largest =
                std::max(largest, std::abs(static_cast<double>(ours.values()[i]) - expected[i]));
    }
    return largest;
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

/// Returns how many tokens are more probable than `id` at a position.
Index likelierThan(const Trace &trace, Index place, Index id) {
    const Tensor all = trace.stage(Stage::Probabilities, {});
    const Index words = all.shape().last(0);
    const auto row =
        std::span(all.values())
            .subspan(static_cast<std::size_t>(place * words), static_cast<std::size_t>(words));
    return std::ranges::count_if(
        row, [wanted = row[static_cast<std::size_t>(id)]](float p) { return p > wanted; });
}

} // namespace

TEST_CASE("trained models have the attention that another program computed") {
    for (const auto &[name, ids] :
         {std::pair("gpt-nano-sort", "sequence"), std::pair("english-lm", "input_ids"),
          std::pair("stories260k", "input_ids"), std::pair("rxnmapper-albert", "input_ids")}) {
        CAPTURE(name);
        const auto model = goldenModel(name);
        if (!model)
            continue;
        const auto &[folder, golden] = *model;
        const TracePointer trace = traceOf(*folder, inputOfIds(*folder, golden.at(ids)));
        CHECK(folder->warnings.empty());
        REQUIRE(std::ssize(golden.at("attention")) == folder->model.layerCount());
        CHECK(differenceOf(*trace, golden.at("attention"), Stack::Main) < kGoldenTolerance);
    }
}

TEST_CASE("a model of letters and sounds has the attention that another program computed") {
    const auto model = goldenModel("bart-g2p-us");
    if (!model)
        return;
    const auto &[folder, golden] = *model;
    const TracePointer trace =
        traceOf(*folder, inputOfIds(*folder, golden.at("decoder_ids"), golden.at("encoder_ids")));
    CHECK(differenceOf(*trace, golden.at("encoder_attention"), Stack::Encoder) < kGoldenTolerance);
    CHECK(differenceOf(*trace, golden.at("decoder_attention"), Stack::Decoder) < kGoldenTolerance);
    CHECK(differenceOf(*trace, golden.at("cross_attention"), Stack::Decoder,
                       Block::CrossAttention) < kGoldenTolerance);
}

TEST_CASE("a model of letters and sounds spells a word") {
    const auto model = goldenModel("bart-g2p-us");
    if (!model)
        return;
    const auto &[folder, golden] = *model;
    REQUIRE(folder->decoderStart.size() == 1);
    const Input input =
        inputOfIds(*folder, {folder->decoderStart.front()}, golden.at("encoder_ids"));
    const auto end = endTokenOf(*folder->model.vocabulary);
    REQUIRE(end.has_value());
    auto generator = valueOf(makeGenerator(folder->model, input, {.maximum = 30, .end = end}));
    std::string sounds;
    bool hasEnded = false;
    for (auto token = generator.next(); *token; token = generator.next()) {
        REQUIRE(token.ok());
        hasEnded = (*token)->isEnd;
        if (!(*token)->text.starts_with("<"))
            sounds += (*token)->text;
    }
    CHECK(hasEnded);
    CHECK(sounds == golden.at("phonemes").get<std::string>());
}

TEST_CASE("a text's letters are tokens of the encoder, its sounds tokens of the decoder") {
    const auto model = goldenModel("bart-g2p-us");
    if (!model)
        return;
    const auto &[folder, golden] = *model;
    const auto letters = valueOf(tokenized(folder->model, Stack::Encoder, "phonograph"));
    std::vector<std::string> read;
    std::vector<Index> ids;
    for (const Token &token : letters.tokens) {
        read.push_back(token.text);
        ids.push_back(folder->model.vocabularyOf(Stack::Encoder)->idOf(token).value_or(-1));
    }
    CHECK(ids == golden.at("encoder_ids").get<std::vector<Index>>());
    CHECK(read == std::vector<std::string>{"<s>", "p", "h", "o", "n", "o", "g", "r", "a", "p", "h",
                                           "</s>"});
}

TEST_CASE("a model of chemical reactions recovers masked tokens") {
    const auto model = goldenModel("rxnmapper-albert");
    if (!model)
        return;
    const auto &[folder, golden] = *model;
    const auto ids = golden.at("input_ids").get<std::vector<Index>>();
    const auto mask = folder->model.vocabulary->idOf("[MASK]");
    REQUIRE(mask.has_value());
    int recovered = 0, masked = 0;
    for (std::size_t place = 1; place + 1 < ids.size(); ++place) { // without [CLS] and [SEP]
        std::vector<Index> hidden = ids;
        hidden[place] = *mask;
        const TracePointer trace = traceOf(*folder, inputOfIds(*folder, hidden));
        recovered += likelierThan(*trace, static_cast<Index>(place), ids[place]) == 0;
        ++masked;
    }
    std::printf("rxnmapper-albert recovers %d of %d tokens\n", recovered, masked);
    CHECK(masked == 54);
    CHECK(recovered >= 53);
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
    CHECK(text->tokens.front().text == "<s>"); // added by the tokenizer's post-processor
    std::string story;
    for (const Index id : writtenOn(*model, *text, 60))
        story += model->model.vocabulary->word(id);
    CHECK(story.starts_with(", there was a little girl named Lily. She loved to play outsid"));
}
