// The pieces that follow a predicted one until its word ends.
#include "core/formats/pretrained/folder_reader.h"
#include "core/formats/tokenizer/tokenizer_json.h"
#include "core/generation/rest_of_word.h"
#include "core_test.h"
#include "transformer/random_transformers.h"
#include "transformer/reference_model.h"

using Json = nlohmann::ordered_json;

namespace {

const std::vector<std::string> kPieces{"▁a", "▁won", "der", "ful", "▁day", ".", "</s>"};

/// Returns a random language model with these pieces as its vocabulary.
Model modelOfPieces(std::uint64_t seed) {
    Json vocabulary;
    for (std::size_t i = 0; i < kPieces.size(); ++i)
        vocabulary[kPieces[i]] = i;
    const Json json{
        {"model", {{"type", "WordLevel"}, {"vocab", vocabulary}}},
        {"decoder", {{"type", "Replace"}, {"pattern", {{"String", "▁"}}}, {"content", " "}}},
        {"added_tokens",
         Json::array({{{"id", kPieces.size() - 1}, {"content", "</s>"}, {"special", true}}})}};
    const auto tokenizer = valueOf(readTokenizerJson(json.dump()));
    Random random(seed);
    Model model = drawnDecoder(random, languageConfig(16, 4, 4), *Vocabulary::create(kPieces));
    const StackTexts of{tokenizer, model.vocabulary, model.vocabulary};
    model.reader = makeTextReader({"", of, of, {}});
    return model;
}

Generator generatorOf(const Model &model) {
    TokenizedText text;
    text.tokens.push_back(model.vocabulary->token(0));
    const Input input{valueOf(Batch::create({std::move(text)})), {CausalMask{}}};
    GenerationOptions options;
    options.end = static_cast<Index>(kPieces.size()) - 1;
    return valueOf(makeGenerator(model, input, options));
}

bool continues(Index id) {
    return kPieces[static_cast<std::size_t>(id)] == "der" ||
           kPieces[static_cast<std::size_t>(id)] == "ful";
}

} // namespace

TEST_CASE("letters continue a word, spaces and punctuation end it") {
    CHECK(continuesWord(" won", "der"));
    CHECK(continuesWord("1", "2"));
    CHECK(continuesWord("e", "\u0301"));
    CHECK(continuesWord("при", "вет"));
    CHECK(!continuesWord(" won", " der"));
    CHECK(!continuesWord(" won", "."));
    CHECK(!continuesWord(".", "der"));
    CHECK(!continuesWord("注", "意"));
    CHECK(!continuesWord("", "a"));
    CHECK(!continuesWord("a", ""));
}

TEST_CASE("a piece is followed by the model's own tokens up to the end of its word") {
    int longest = 0, cut = 0, alone = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        CAPTURE(seed);
        const Model model = modelOfPieces(seed);
        const Generator begun = generatorOf(model);
        for (Index first = 0; first + 1 < std::ssize(kPieces); ++first) {
            CAPTURE(first);
            const RestOfWord rest = valueOf(restOfWord(begun, first));
            if (kPieces[static_cast<std::size_t>(first)] == ".") {
                CHECK(rest == RestOfWord());
                continue;
            }
            Generator step = begun;
            step.append(first);
            std::vector<Index> pieces;
            std::string text;
            for (auto token = valueOf(step.next()); token && continues(token->id);
                 token = valueOf(step.next())) {
                if (pieces.size() == kMaxPieces)
                    break;
                pieces.push_back(token->id);
                text += token->text;
            }
            CHECK(rest.ids == pieces);
            CHECK(rest.text == text);
            CHECK(rest.isWhole == (pieces.size() < kMaxPieces));
            longest = std::max(longest, static_cast<int>(pieces.size()));
            cut += !rest.isWhole;
            alone += pieces.empty();
        }
        CHECK(begun.input().batch->length() == 1); // the input itself is unchanged
    }
    CHECK(longest > 1);
    CHECK(cut > 0);
    CHECK(alone > 0);
}

TEST_CASE("the tokens of a model without a tokenizer are words") {
    Model model = modelOfPieces(1);
    model.reader = nullptr;
    CHECK(valueOf(restOfWord(generatorOf(model), 1)) == RestOfWord());
}

TEST_CASE("the rest of a word can be cancelled") {
    std::stop_source stop;
    stop.request_stop();
    CHECK(!restOfWord(generatorOf(modelOfPieces(1)), 1, stop.get_token()).ok());
}
