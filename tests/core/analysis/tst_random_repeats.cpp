// Random tokens, repeated once, which reveal induction heads.
#include "core/analysis/random_repeats.h"

#include "core/analysis/special_tokens.h"
#include "tests/core/core_test.h"

#include <set>

using namespace headlight::core;

namespace {

/// Adds a token before every text.
class BeginningReader : public TextReader {
  public:
    Result<TokenizedText> read(Stack, std::string_view text, std::stop_token) const override {
        return TokenizedText{{Token{"<s>"}, Token{std::string(text)}}};
    }
    std::string textOf(Stack, std::span<const Index>) const override { return {}; }
};

Model decoderOf(std::vector<std::string> words) {
    Model model;
    model.config.outputLayer.kind = OutputLayerKind::Language;
    const auto vocabulary = Vocabulary::create(std::move(words));
    REQUIRE(vocabulary.ok());
    model.vocabulary = *vocabulary;
    return model;
}

std::vector<std::string> manyWords() {
    std::vector<std::string> words{"[PAD]", "<s>", "</s>"};
    for (int word = 0; word < 200; ++word)
        words.push_back("w" + std::to_string(word));
    return words;
}

std::vector<Index> repeatsOf(const Model &model, std::uint64_t seed = 1) {
    const Result<std::vector<Index>> made = randomRepeats(model, seed);
    REQUIRE(made.ok());
    return *made;
}

} // namespace

TEST_CASE("24 different tokens that are not special, and the same ones again") {
    const Model model = decoderOf(manyWords());
    for (const std::uint64_t seed : {1U, 2U, 77U}) {
        const std::vector<Index> made = repeatsOf(model, seed);
        REQUIRE(std::ssize(made) == 2 * kRepeatedTokens);
        for (Index i = 0; i < kRepeatedTokens; ++i)
            CHECK(made[static_cast<std::size_t>(i)] ==
                  made[static_cast<std::size_t>(i + kRepeatedTokens)]);
        const std::set<Index> different(made.begin(), made.end());
        CHECK(std::ssize(different) == kRepeatedTokens);
        for (const Index id : different)
            CHECK_FALSE(isWrittenAsSpecial(model.vocabulary->word(id)));
        CHECK(made == repeatsOf(model, seed));
    }
    CHECK(repeatsOf(model, 1) != repeatsOf(model, 2));
}

TEST_CASE("Every token of the vocabulary is drawn sooner or later") {
    const Model model = decoderOf(manyWords());
    std::set<Index> drawn;
    for (std::uint64_t seed = 0; seed < 100; ++seed)
        for (const Index id : repeatsOf(model, seed))
            drawn.insert(id);
    CHECK(std::ssize(drawn) == 200);
}

TEST_CASE("The token that begins a text comes before the repeated tokens") {
    Model model = decoderOf(manyWords());
    model.reader = std::make_shared<BeginningReader>();
    const std::vector<Index> made = repeatsOf(model);
    REQUIRE(std::ssize(made) == 2 * kRepeatedTokens + 1);
    CHECK(made.front() == 1);
    CHECK(made[1] == made[1 + static_cast<std::size_t>(kRepeatedTokens)]);
}

TEST_CASE("A small vocabulary and few learned positions give fewer tokens") {
    const Model few = decoderOf({"[UNK]", "a", "b", "c"});
    const std::vector<Index> made = repeatsOf(few);
    REQUIRE(made.size() == 6);
    CHECK(std::set<Index>(made.begin(), made.end()) == std::set<Index>{1, 2, 3});
    Model shortOne = decoderOf(manyWords());
    shortOne.config.positions = Positions::Learned;
    shortOne.parameters.main.positions = std::make_shared<const ParameterMatrix>(Matrix(21, 4));
    CHECK(repeatsOf(shortOne).size() == 20);
    shortOne.reader = std::make_shared<BeginningReader>();
    CHECK(repeatsOf(shortOne).size() == 21);
}

TEST_CASE("Models that do not predict the next token are refused") {
    Model encoder = decoderOf(manyWords());
    encoder.config.outputLayer.kind = OutputLayerKind::None;
    const Result<std::vector<Index>> made = randomRepeats(encoder, 1);
    REQUIRE_FALSE(made.ok());
    CHECK(made.error().what.text().find("predicts the next word") != std::string::npos);
    CHECK_FALSE(randomRepeats(decoderOf({"[PAD]"}), 1).ok());
}
